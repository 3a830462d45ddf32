package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Promql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configurations that bring pages to AMP. */
class ScrapeConfigTest {

  private static final Path FOLDER = Shipped.RULES.resolve("amp").resolve("scrape");
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Program PROMTOOL = new Program("promtool");

  private static JsonNode read(String file) throws Exception {
    return YAML.readTree(FOLDER.resolve(file).toFile());
  }

  /** Debian's Prometheus is built without discovery in Kubernetes: a static target replaces it. */
  private static void check(JsonNode configuration, Path folder) throws Exception {
    ObjectNode job = (ObjectNode) configuration.path("scrape_configs").path(0);
    if (job.remove("kubernetes_sd_configs") != null) {
      job.putArray("static_configs").addObject().putArray("targets").add("localhost:9754");
    }
    Path file = folder.resolve("prometheus.yml");
    YAML.writeValue(file.toFile(), configuration);
    PROMTOOL.run(List.of("check", "config", "--agent", file.toString()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prometheus-agent-ec2.yml",
        "prometheus-agent-kubernetes.yml",
        "prometheus-agent-slurm.yml"
      })
  void prometheusTakesTheConfiguration(String file, @TempDir Path folder) throws Exception {
    check(read(file), folder);
  }

  /** Account, binding, deployment and the configuration of its ConfigMap belong together. */
  @Test
  void theDeploymentRunsTheConfigurationForKubernetes() throws Exception {
    List<JsonNode> objects;
    try (MappingIterator<JsonNode> all =
        YAML.readerFor(JsonNode.class)
            .readValues(FOLDER.resolve("prometheus-agent-deployment.yml").toFile())) {
      objects = all.readAll();
    }
    assertThat(objects)
        .extracting(one -> one.path("kind").asText())
        .containsExactly("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Deployment");
    assertThat(objects)
        .extracting(one -> one.path("metadata").path("name").asText())
        .containsOnly("lapwing-scraper");
    assertThat(objects.get(2).path("subjects").path(0).path("name").asText())
        .isEqualTo("lapwing-scraper");
    JsonNode pod = objects.get(3).path("spec").path("template").path("spec");
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo("lapwing-scraper");
    assertThat(pod.path("volumes").path(0).path("configMap").path("name").asText())
        .isEqualTo("lapwing-scraper");
    assertThat(pod.path("containers").path(0).path("args").toString())
        .contains("--agent", "/etc/prometheus/prometheus.yml");
    assertThat(objects.get(1).path("rules").path(0).path("resources").toString())
        .isEqualTo("[\"pods\"]");
  }

  @Test
  void theLeanPresetFitsBelowTheJob(@TempDir Path folder) throws Exception {
    JsonNode configuration = read("prometheus-agent-ec2.yml");
    ((ObjectNode) configuration.path("scrape_configs").path(0))
        .setAll((ObjectNode) read("../../keep/rules.yml"));

    check(configuration, folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ec2", "kubernetes"})
  void theCollectorScrapesAsPrometheusDoes(String discovery) throws Exception {
    JsonNode collector = read("otel-collector-" + discovery + ".yml");
    String jobs = collector.at("/receivers/prometheus/config/scrape_configs").toString();

    // Both scrape themselves, each at its own port.
    assertThat(YAML.readTree(jobs.replace("$$", "$").replace("localhost:8888", "localhost:9090")))
        .isEqualTo(read("prometheus-agent-" + discovery + ".yml").path("scrape_configs"));
    assertThat(jobs.replace("$$", "")).doesNotContain("$");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ec2", "kubernetes"})
  void theCollectorSignsAndLeavesNamesAlone(String discovery) throws Exception {
    JsonNode collector = read("otel-collector-" + discovery + ".yml");
    JsonNode exporter = collector.at("/exporters/prometheusremotewrite");

    assertThat(exporter.path("endpoint").asText()).endsWith("/api/v1/remote_write");
    assertThat(exporter.at("/auth/authenticator").asText()).isEqualTo("sigv4auth");
    assertThat(exporter.path("add_metric_suffixes").asBoolean(true)).isFalse();
    assertThat(collector.at("/extensions/sigv4auth/service").asText()).isEqualTo("aps");
    JsonNode pipeline = collector.at("/service/pipelines/metrics");
    for (String part : List.of("receivers", "processors", "exporters")) {
      for (JsonNode name : pipeline.path(part)) {
        assertThat(collector.path(part).has(name.asText())).as(name.asText()).isTrue();
      }
    }
  }

  /** dcgm-exporter and the drain controller have scrapes of their own. */
  private static final Set<String> OF_OTHERS = Set.of("dcgm.yml", "drain.yml");

  @Test
  void theLeanPresetKeepsWhatTheRulesRead() throws Exception {
    Pattern kept =
        Pattern.compile(
            read("../../keep/rules.yml").at("/metric_relabel_configs/0/regex").asText());
    Catalogue catalogue = Catalogue.of(Shipped.ROOT);
    Set<String> dropped = new TreeSet<>();
    for (Rule rule : Shipped.rules().rules()) {
      if (!OF_OTHERS.contains(rule.file())) {
        series(rule)
            .filter(name -> !kept.matcher(name).matches())
            .filter(name -> !name.contains(":") && !name.isEmpty() && !name.equals("up"))
            .filter(name -> catalogue.family(name).isPresent())
            .forEach(dropped::add);
      }
    }
    assertThat(dropped).isEmpty();
  }

  private static Stream<String> series(Rule rule) {
    Template description = new Template(rule.annotations().getOrDefault("description", ""));
    return Stream.concat(Stream.of(rule.expr()), description.queries().stream())
        .map(Promql::parse)
        .flatMap(Expr::selectors)
        .map(Expr.Selector::metric);
  }

  @Test
  void theLeanPresetNamesOnlyWhatThereIs() throws Exception {
    Catalogue catalogue = Catalogue.of(Shipped.ROOT);
    String regex = read("../../keep/rules.yml").at("/metric_relabel_configs/0/regex").asText();

    assertThat(Pattern.compile("\\|").splitAsStream(regex))
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(name -> catalogue.family(name).isPresent());
    assertThat(Files.exists(FOLDER)).isTrue();
  }
}
