package io.lapwing.stack;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a Prometheus.
 *
 * @param listen {@code HOST:PORT}; port 0 for a free one
 * @param scrapeEvery interval of scrapes and rule evaluations
 * @param rules rule files
 * @param alertmanager address of the Alertmanager
 * @param flags further command line flags
 */
public record PrometheusSettings(
    String listen,
    Duration scrapeEvery,
    List<Path> rules,
    Optional<URI> alertmanager,
    List<String> flags) {

  public PrometheusSettings {
    rules = List.copyOf(rules);
    flags = List.copyOf(flags);
  }

  /** On a free port, without rules and Alertmanager. */
  public static PrometheusSettings every(Duration scrapeEvery) {
    return new PrometheusSettings(
        "127.0.0.1:0", scrapeEvery, List.of(), Optional.empty(), List.of());
  }

  public PrometheusSettings listeningOn(String address) {
    return new PrometheusSettings(address, scrapeEvery, rules, alertmanager, flags);
  }

  public PrometheusSettings withRules(List<Path> files) {
    return new PrometheusSettings(listen, scrapeEvery, files, alertmanager, flags);
  }

  public PrometheusSettings alerting(URI where) {
    return new PrometheusSettings(listen, scrapeEvery, rules, Optional.of(where), flags);
  }

  public PrometheusSettings withFlags(String... more) {
    return new PrometheusSettings(listen, scrapeEvery, rules, alertmanager, List.of(more));
  }
}
