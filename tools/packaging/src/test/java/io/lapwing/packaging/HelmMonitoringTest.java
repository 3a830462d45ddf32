package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.YAML;
import static io.lapwing.packaging.Chart.elements;
import static io.lapwing.packaging.Chart.everything;
import static io.lapwing.packaging.Chart.names;
import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.ofKind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart's resources for the Prometheus operator and for Grafana's sidecar. */
class HelmMonitoringTest {

  @Test
  void aScrapeIsNamedByNodeAndCluster() throws IOException {
    for (String kind : List.of("PodMonitor", "ServiceMonitor")) {
      JsonNode monitor = ofKind(everything(), kind).findFirst().orElseThrow();
      JsonNode endpoint =
          monitor.at(
              kind.equals("PodMonitor") ? "/spec/podMetricsEndpoints/0" : "/spec/endpoints/0");
      assertThat(elements(endpoint.path("relabelings")))
          .extracting(one -> one.path("targetLabel").asText())
          .containsExactly("job", "instance", "cluster");
    }
  }

  @Test
  void everyFileOfRulesIsThereAsItIs() throws IOException {
    List<JsonNode> rendered = ofKind(everything(), "PrometheusRule").toList();
    assertThat(rendered)
        .hasSize(
            rules("").size()
                + rules("dcgm").size()
                + rules("automation").size()
                + rules("drain").size());
    assertRendered(rendered, "", "rules");
    assertRendered(rendered, "dcgm", "rules-dcgm");
    assertRendered(rendered, "automation", "rules-automation");
    assertRendered(rendered, "drain", "rules-drain");
  }

  @Test
  void theCoreSetReplacesTheDetailedOne() throws IOException {
    List<JsonNode> rendered =
        ofKind(
                objects(
                    Chart.template()
                        .set("prometheusRule.enabled", true)
                        .set("prometheusRule.set", "core")
                        .set("prometheusRule.dashboardBase", "https://grafana.site.example/d/")
                        .set("prometheusRule.runbookBase", "https://wiki.site.example/gpu")),
                "PrometheusRule")
            .toList();
    assertThat(rendered).hasSameSizeAs(rules("core"));
    assertRendered(rendered, "core", "rules-core");
  }

  @Test
  void theRulesForDcgmExporterAutomationAndDrainComeOnlyWhenAskedFor() throws IOException {
    assertThat(
            ofKind(objects(Chart.template().set("prometheusRule.enabled", true)), "PrometheusRule"))
        .hasSameSizeAs(rules(""))
        .noneMatch(one -> one.toString().contains("dashboard_url"))
        .noneMatch(one -> one.at("/metadata/name").asText().matches(".*-(dcgm|automation|drain)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheusRule.enabled", "dashboards.enabled"})
  void aFolderWithoutTranslatedFilesRefusesThoseThatWouldFindNothing(String what)
      throws IOException {
    assertThatThrownBy(
            () -> Chart.template().set(what, true).set("config.gpu\\.names", "4.9").call())
        .hasMessageContaining("tools/packaging/helm/translated");
    assertThat(objects(Chart.template().set(what, true).set("config.gpu\\.names", "classic\\,4.9")))
        .isNotEmpty();
  }

  private static List<String> rules(String set) throws IOException {
    return names(Path.of("../../alert-rules", set), ".yml");
  }

  private static void assertRendered(List<JsonNode> rendered, String set, String folder)
      throws IOException {
    assertThat(names(Chart.FOLDER.resolve("files").resolve(folder), ".yml")).isEqualTo(rules(set));
    for (String file : rules(set)) {
      String text =
          Files.readString(Path.of("../../alert-rules", set, file))
              .replace("https://lapwing.example/runbooks", "https://wiki.site.example/gpu")
              .replace("https://lapwing.example/d/", "https://grafana.site.example/d/");
      String name = "lapwing-" + file.replace(".yml", "");
      assertThat(rendered)
          .filteredOn(one -> one.at("/metadata/name").asText().equals(name))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(one.at("/spec/groups")).isEqualTo(YAML.readTree(text).path("groups")));
    }
  }

  private static List<JsonNode> dashboards(String key, String value) throws IOException {
    return ofKind(
            objects(Chart.template().set("dashboards.enabled", true).set(key, value)), "ConfigMap")
        .toList();
  }

  @Test
  void linksOfAlertsAndDashboardsLeadToOneCopyOfTheDocuments() throws IOException {
    for (String base : List.of("https://wiki.site.example/gpu", "https://wiki.site.example/gpu/")) {
      List<JsonNode> objects =
          objects(
              Chart.template()
                  .set("prometheusRule.enabled", true)
                  .set("dashboards.enabled", true)
                  .set("docsBase", base));
      assertThat(objects.toString())
          .doesNotContain("https://lapwing.example", "gpu//")
          .contains("https://wiki.site.example/gpu/runbooks/LapwingXid.md");
      assertThat(ofKind(objects, "ConfigMap"))
          .anyMatch(one -> one.toString().contains("https://wiki.site.example/gpu"));
    }
  }

  @Test
  void aFolderOfRunbooksIsInTheCopyOfTheDocuments() throws IOException {
    String runbooks = "prometheusRule.runbookBase";

    assertThat(dashboards(runbooks, "https://wiki.site.example/gpu/runbooks/").toString())
        .contains("https://wiki.site.example/gpu\\\"")
        .doesNotContain("https://lapwing.example");
    assertThat(dashboards(runbooks, "https://wiki.site.example/gpu").toString())
        .contains("https://lapwing.example");
  }

  @Test
  void theNotesWarnOfLinksThatLeadNowhere() {
    assertThat(notes()).doesNotContain("lapwing.example");
    assertThat(notes("dashboards.enabled"))
        .contains("WARNING: links of dashboards to the documents");
    assertThat(notes("prometheusRule.enabled"))
        .contains("WARNING: links of alerts to the documents");
    assertThat(notes("prometheusRule.enabled", "dashboards.enabled"))
        .contains("WARNING: links of alerts and dashboards to the documents");
    assertThat(Chart.notes(Map.of("dashboards.enabled", true, "docsBase", "https://wiki.example")))
        .doesNotContain("lapwing.example");
  }

  private static String notes(String... enabled) {
    return Chart.notes(Stream.of(enabled).collect(Collectors.toMap(name -> name, name -> true)));
  }

  @Test
  void everyDashboardIsThereAsItIs() throws IOException {
    List<String> dashboards = names(Path.of("../../grafana-dashboards"), ".json");
    assertThat(names(Chart.FOLDER.resolve("files/dashboards"), ".json")).isEqualTo(dashboards);

    List<JsonNode> rendered =
        ofKind(everything(), "ConfigMap")
            .filter(one -> !one.at("/data").has("lapwing.yml"))
            .toList();
    assertThat(rendered).hasSameSizeAs(dashboards);
    for (String file : dashboards) {
      JsonNode whole =
          YAML.readTree(
              Files.readString(Path.of("../../grafana-dashboards", file))
                  .replace("https://lapwing.example", "https://wiki.site.example/lapwing"));
      assertThat(rendered)
          .filteredOn(one -> one.path("data").has(file))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(YAML.readTree(one.path("data").path(file).asText())).isEqualTo(whole));
    }
  }
}
