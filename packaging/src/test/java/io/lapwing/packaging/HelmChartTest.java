package io.lapwing.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The chart, rendered by Helm itself. */
class HelmChartTest {

  private static final Path CHART = Path.of("helm/lapwing").toAbsolutePath();
  private static final Path EVERYTHING = CHART.resolve("ci/everything-values.yaml");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static TemplateCommand template() {
    return new Helm(CHART).template().withName("lapwing").withNamespace("monitoring");
  }

  private static List<JsonNode> objects(TemplateCommand command) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        YAML.readerFor(JsonNode.class).readValues(command.call())) {
      while (documents.hasNext()) {
        JsonNode document = documents.next();
        if (document != null && document.has("kind")) {
          objects.add(document);
        }
      }
    }
    return objects;
  }

  private static List<JsonNode> everything() throws IOException {
    return objects(template().withValuesFile(EVERYTHING));
  }

  private static Stream<JsonNode> ofKind(List<JsonNode> objects, String kind) {
    return objects.stream().filter(one -> one.path("kind").asText().equals(kind));
  }

  private static JsonNode daemonSet(List<JsonNode> objects) {
    return ofKind(objects, "DaemonSet").findFirst().orElseThrow();
  }

  private static List<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static List<String> names(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .sorted()
          .toList();
    }
  }

  @Test
  void helmFindsNothingWrong() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
  }

  @Test
  void byDefaultItTouchesTheNodesAndNothingElse() throws IOException {
    assertThat(objects(template()))
        .extracting(one -> one.path("kind").asText())
        .containsExactlyInAnyOrder("ServiceAccount", "DaemonSet");
  }

  @Test
  void theAgentIsPrivilegedForTheKernelLogAlone() throws IOException {
    JsonNode whole = security(template());
    assertThat(whole.path("privileged").asBoolean()).isTrue();
    // Kubernetes refuses the two together.
    assertThat(whole.has("allowPrivilegeEscalation")).isFalse();

    JsonNode withoutLog = security(template().set("host.kmsg", "false"));
    assertThat(withoutLog.has("privileged")).isFalse();
    assertThat(withoutLog.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(withoutLog.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(elements(withoutLog.at("/capabilities/add")))
        .extracting(JsonNode::asText)
        .containsExactly("DAC_READ_SEARCH");
  }

  private static JsonNode security(TemplateCommand command) throws IOException {
    return daemonSet(objects(command)).at("/spec/template/spec/containers/0/securityContext");
  }

  @Test
  void theAgentWritesNothingButItsStateAndHasNoToken() throws IOException {
    JsonNode pod = daemonSet(objects(template())).at("/spec/template/spec");

    assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(elements(pod.at("/containers/0/volumeMounts")))
        .filteredOn(mount -> !mount.path("readOnly").asBoolean())
        .extracting(mount -> mount.path("name").asText())
        .containsExactly("state", "tmp");
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
  }

  @Test
  void everyMountHasItsVolume() throws IOException {
    for (List<JsonNode> objects : List.of(objects(template()), everything())) {
      JsonNode pod = daemonSet(objects).at("/spec/template/spec");
      List<String> volumes =
          elements(pod.path("volumes")).stream().map(one -> one.path("name").asText()).toList();
      for (String kind : List.of("containers", "initContainers")) {
        for (JsonNode container : elements(pod.path(kind))) {
          assertThat(elements(container.path("volumeMounts")))
              .extracting(one -> one.path("name").asText())
              .isSubsetOf(volumes);
        }
      }
    }
  }

  @Test
  void aNodeThatIsTaintedIsWatched() throws IOException {
    JsonNode pod = daemonSet(objects(template())).at("/spec/template/spec");

    assertThat(pod.at("/tolerations/0/operator").asText()).isEqualTo("Exists");
    assertThat(pod.at("/tolerations/0").size()).isOne();
  }

  @Test
  void theProbesAskTheAgentAndNoGpu() throws IOException {
    JsonNode container = daemonSet(objects(template())).at("/spec/template/spec/containers/0");

    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/-/healthy");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/-/ready");
  }

  @Test
  void theSelectorMatchesThePods() throws IOException {
    for (JsonNode object : everything()) {
      JsonNode labels = daemonSet(everything()).at("/spec/template/metadata/labels");
      JsonNode selector = object.at("/spec/selector/matchLabels");
      selector
          .fields()
          .forEachRemaining(one -> assertThat(labels.get(one.getKey())).isEqualTo(one.getValue()));
    }
  }

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
    List<String> rules = names(Path.of("../alert-rules"), ".yml");
    assertThat(names(CHART.resolve("files/rules"), ".yml")).isEqualTo(rules);

    List<JsonNode> rendered = ofKind(everything(), "PrometheusRule").toList();
    assertThat(rendered).hasSameSizeAs(rules);
    for (String file : rules) {
      String text =
          Files.readString(Path.of("../alert-rules", file))
              .replace("https://lapwing.example/runbooks", "https://wiki.site.example/gpu");
      String name = "lapwing-" + file.replace(".yml", "");
      assertThat(rendered)
          .filteredOn(one -> one.at("/metadata/name").asText().equals(name))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(one.at("/spec/groups")).isEqualTo(YAML.readTree(text).path("groups")));
    }
  }

  @Test
  void everyDashboardIsThereAsItIs() throws IOException {
    List<String> dashboards = names(Path.of("../grafana-dashboards"), ".json");
    assertThat(names(CHART.resolve("files/dashboards"), ".json")).isEqualTo(dashboards);

    List<JsonNode> rendered =
        ofKind(everything(), "ConfigMap")
            .filter(one -> !one.at("/data").has("lapwing.yml"))
            .toList();
    assertThat(rendered).hasSameSizeAs(dashboards);
    for (String file : dashboards) {
      JsonNode whole = YAML.readTree(Files.readString(Path.of("../grafana-dashboards", file)));
      assertThat(rendered)
          .filteredOn(one -> one.path("data").has(file))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(YAML.readTree(one.path("data").path(file).asText())).isEqualTo(whole));
    }
  }

  @Test
  void aValueThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> template().set("tolerate", "all").call())
        .hasMessageContaining("tolerate");
    assertThatThrownBy(() -> template().set("port", "0").call()).hasMessageContaining("port");
  }
}
