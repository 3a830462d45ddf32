package io.lapwing.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The two files of a Prometheus: its configuration and its target list. */
final class PrometheusConfig {

  /** The job name of the shipped scrape configurations. */
  private static final String JOB = "lapwing";

  private PrometheusConfig() {}

  static String yaml(PrometheusSettings settings, Path targets) {
    Map<String, Object> config = new LinkedHashMap<>();
    String every = duration(settings.scrapeEvery());
    config.put("global", Map.of("scrape_interval", every, "evaluation_interval", every));
    config.put(
        "rule_files",
        settings.rules().stream().map(rules -> rules.toAbsolutePath().toString()).toList());
    settings
        .alertmanager()
        .ifPresent(
            uri ->
                config.put(
                    "alerting",
                    Map.of(
                        "alertmanagers",
                        List.of(statically(uri.getHost() + ":" + uri.getPort())))));
    Map<String, Object> files =
        Map.of("files", List.of(targets.toString()), "refresh_interval", "5s");
    // The certificate of an agent of this machine may be a self-signed one of another name.
    Map<String, Object> tls = Map.of("insecure_skip_verify", true);
    config.put(
        "scrape_configs",
        List.of(Map.of("job_name", JOB, "file_sd_configs", List.of(files), "tls_config", tls)));
    return written(new YAMLMapper(), config);
  }

  private static Map<String, Object> statically(String address) {
    return Map.of("static_configs", List.of(Map.of("targets", List.of(address))));
  }

  static String targets(List<Target> targets) {
    return written(
        new ObjectMapper(),
        targets.stream()
            .map(target -> Map.of("targets", List.of(target.address()), "labels", target.labels()))
            .toList());
  }

  /** Prometheus durations have no fractions. */
  private static String duration(Duration duration) {
    return duration.toMillis() + "ms";
  }

  private static String written(ObjectMapper mapper, Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
