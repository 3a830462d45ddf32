package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.elements;
import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.pod;
import static io.lapwing.packaging.Chart.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes the chart selects, and how its agent gets their GPUs. */
class HelmNodesTest {

  private static final String TYPE = "node.kubernetes.io/instance-type";

  /** As the programs named in docs/kubernetes.md label them; the last ones have no NVIDIA GPU. */
  @ParameterizedTest
  @CsvSource({
    "node.kubernetes.io/instance-type, p5.48xlarge, true",
    "node.kubernetes.io/instance-type, g6e.12xlarge, true",
    "node.kubernetes.io/instance-type, p6e-gb200.36xlarge, true",
    "node.kubernetes.io/instance-type, g4dn.metal, true",
    "node.kubernetes.io/instance-type, ml.p5en.48xlarge, true",
    "nvidia.com/gpu.present, true, true",
    "feature.node.kubernetes.io/pci-10de.present, true, true",
    "karpenter.k8s.aws/instance-gpu-manufacturer, nvidia, true",
    "eks.amazonaws.com/instance-gpu-manufacturer, nvidia, true",
    "node.kubernetes.io/instance-type, m7i.large, false",
    "node.kubernetes.io/instance-type, trn1.32xlarge, false",
    "karpenter.k8s.aws/instance-gpu-manufacturer, amd, false",
    "nvidia.com/gpu.present, false, false"
  })
  void aNodeWithGpusIsSelectedByAnyLabel(String label, String value, boolean selected)
      throws IOException {
    Map<String, String> node = Map.of("kubernetes.io/os", "linux", label, value);

    assertThat(selects(pod(objects(template())), node)).isEqualTo(selected);
  }

  /** As the scheduler does: any term, of which every expression. */
  private static boolean selects(JsonNode pod, Map<String, String> node) {
    return elements(terms(pod)).stream()
        .anyMatch(
            term ->
                elements(term.path("matchExpressions")).stream()
                    .allMatch(
                        one -> {
                          assertThat(one.path("operator").asText()).isEqualTo("In");
                          return values(one).contains(node.getOrDefault(key(one), ""));
                        }));
  }

  private static JsonNode terms(JsonNode pod) {
    return pod.at(
        "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
  }

  private static String key(JsonNode expression) {
    return expression.path("key").asText();
  }

  private static List<String> values(JsonNode expression) {
    return elements(expression.path("values")).stream().map(JsonNode::asText).toList();
  }

  @Test
  void everyTypeOfTheAgentsOwnTableIsListed() throws IOException {
    Path table = Path.of("../../collectors/src/main/resources/io/lapwing/node/instances.csv");
    List<String> known =
        Files.readAllLines(table).stream()
            .filter(line -> !line.startsWith("#") && !line.startsWith("name,"))
            .map(line -> line.substring(0, line.indexOf(',')))
            .toList();
    List<String> listed =
        elements(terms(pod(objects(template())))).stream()
            .map(term -> term.at("/matchExpressions/0"))
            .filter(one -> key(one).equals(TYPE))
            .flatMap(one -> values(one).stream())
            .toList();

    assertThat(known).hasSizeGreaterThan(30);
    assertThat(listed)
        .containsAll(known)
        .containsAll(known.stream().map("ml."::concat).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void aTypeThatIsNewerThanTheChartCanBeAdded() throws IOException {
    JsonNode pod = pod(objects(template().set("instanceTypes[0]", "p9.48xlarge")));

    assertThat(selects(pod, Map.of(TYPE, "p9.48xlarge"))).isTrue();
    assertThat(selects(pod, Map.of(TYPE, "ml.p9.48xlarge"))).isTrue();
    assertThat(selects(pod, Map.of(TYPE, "p5.48xlarge"))).isTrue();
  }

  @Test
  void theSitesOwnSelectorIsTheOnlyOne(@TempDir Path dir) throws IOException {
    JsonNode labelled = pod(objects(template().set("nodeSelector.pool", "gpu")));
    assertThat(labelled.path("nodeSelector").toString()).isEqualTo("{\"pool\":\"gpu\"}");
    assertThat(labelled.has("affinity")).isFalse();

    Path values =
        Files.writeString(
            dir.resolve("values.yaml"),
            "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " {nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: Exists}]}]}}}");
    JsonNode own = pod(objects(Optional.of(values)));
    assertThat(elements(terms(own))).hasSize(1);
    assertThat(own.toString()).doesNotContain(TYPE);
  }

  private static final String P5 = "node.kubernetes.io/instance-type: p5.48xlarge";
  private static final String CPU = "node.kubernetes.io/instance-type: m7i.large";

  @Test
  void theNotesCountTheNodesThatMatch() throws IOException {
    try (FakeCluster cluster = FakeCluster.of(P5, CPU, "nvidia.com/gpu.present: 'true'", CPU)) {
      assertThat(Chart.notes(cluster.kubeConfig(), Map.of()))
          .contains("Nodes that match now: 2.\n");
      assertThat(Chart.notes(cluster.kubeConfig(), Map.of("instanceTypes[0]", "m7i.large")))
          .contains("Nodes that match now: 4.\n");
      assertThat(Chart.notes(cluster.kubeConfig(), Map.of("countNodes", false)))
          .contains("was not looked up (countNodes).")
          .doesNotContain("match now");
    }
  }

  @Test
  void theNotesCountByTheSitesOwnSelector() throws IOException {
    Map<String, String> own = Map.of("nodeSelector.pool", "gpu", "nodeSelector.zone", "a");
    try (FakeCluster cluster = FakeCluster.of("{pool: gpu, zone: a}", "{pool: gpu}", P5)) {
      assertThat(Chart.notes(cluster.kubeConfig(), own)).contains("Nodes that match now: 1.\n");
    }
  }

  @Test
  void theNotesWarnIfNoNodeMatches() throws IOException {
    try (FakeCluster cluster = FakeCluster.of(CPU)) {
      assertThat(Chart.notes(cluster.kubeConfig(), Map.of()))
          .contains("WARNING: no node of this cluster matches now.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gpu-watch"})
  void withoutAClusterTheNotesHaveTheCommandsThatCount(String name) {
    assertThat(Chart.notes(Map.of("fullnameOverride", name)))
        .contains("was not looked up: without a cluster")
        .contains("node.kubernetes.io/instance-type = p4d.24xlarge, p4de.24xlarge")
        .contains("nvidia.com/gpu.present = true")
        .contains("kubectl -n monitoring get ds " + (name.isEmpty() ? "lapwing" : name) + "\n");
  }

  @Test
  void byDefaultNvidiasRuntimeGivesTheGpus() throws IOException {
    JsonNode pod = pod(objects(template()));

    assertThat(pod.at("/containers/0").toString())
        .doesNotContain("NVIDIA_VISIBLE_DEVICES", "--nvml.library", "/dev/nvidia");
    assertThat(pod.path("volumes").toString()).doesNotContain("/dev/null", "\"/dev\"");
  }

  @Test
  void onBottlerocketTheRequestIsAMount() throws IOException {
    JsonNode pod = pod(objects(template().set("nvidia.deviceListStrategy", "volume-mounts")));

    assertThat(mount(pod, "gpus")).isEqualTo("/var/run/nvidia-container-devices/all");
    assertThat(hostPath(pod, "gpus")).isEqualTo("/dev/null");
    assertThat(pod.at("/containers/0/env").toString())
        .contains("\"/var/run/nvidia-container-devices\"");
    assertThat(pod.at("/containers/0/securityContext").has("privileged")).isFalse();
  }

  @Test
  void theRootOfADriverIsMountedWithTheDevices() throws IOException {
    JsonNode pod =
        pod(
            objects(
                template()
                    .set("host.privileged", "true")
                    .set("nvidia.driverRoot", "/run/nvidia/driver")));

    assertThat(hostPath(pod, "driver")).isEqualTo("/run/nvidia/driver");
    assertThat(hostPath(pod, "dev")).isEqualTo("/dev");
    assertThat(elements(pod.at("/containers/0/args")))
        .extracting(JsonNode::asText)
        .contains("--nvml.library=" + mount(pod, "driver"));
    assertThat(pod.at("/containers/0/env").toString()).contains("\"void\"");
    assertThat(pod.at("/containers/0/terminationMessagePath").asText()).startsWith("/tmp/");
    assertThat(elements(pod.path("volumes")))
        .as("/dev has it")
        .noneMatch(one -> one.path("name").asText().equals("kmsg"));
    assertThatThrownBy(() -> template().set("nvidia.driverRoot", "/run/nvidia/driver").call())
        .hasMessageContaining("needs host.privileged=true");
    assertThatThrownBy(() -> template().set("nvidia.driverRoot", "run/driver").call())
        .hasMessageContaining("driverRoot");
  }

  @Test
  void pathsOfTheNodeAreReadOnlyAndHaveSwitches() throws IOException {
    JsonNode pod = pod(objects(template().set("host.slurm", "true")));
    assertThat(mount(pod, "slurm")).isEqualTo("/run/slurm");
    assertThat(mount(pod, "pod-logs")).isEqualTo("/var/log/pods");
    assertThat(elements(pod.at("/containers/0/volumeMounts")))
        .filteredOn(one -> List.of("slurm", "pod-logs").contains(one.path("name").asText()))
        .hasSize(2)
        .allMatch(one -> one.path("readOnly").asBoolean());

    JsonNode without = pod(objects(template().set("host.podLogs", "false")));
    assertThat(without.toString()).doesNotContain("/run/slurm", "/var/log/pods");
  }

  @Test
  void moreVolumesAreTheAgentsAlone() throws IOException {
    JsonNode pod = pod(Chart.everything());

    assertThat(mount(pod, "users")).isEqualTo("/etc/passwd");
    assertThat(hostPath(pod, "users")).isEqualTo("/etc/passwd");
    assertThat(pod.at("/containers/1/volumeMounts").toString()).doesNotContain("users");
    assertThatThrownBy(() -> template().set("extraVolumeMounts[0].name", "users").call())
        .hasMessageContaining("mountPath");
  }

  private static String mount(JsonNode pod, String volume) {
    return elements(pod.at("/containers/0/volumeMounts")).stream()
        .filter(one -> one.path("name").asText().equals(volume))
        .map(one -> one.path("mountPath").asText())
        .findFirst()
        .orElseThrow();
  }

  private static String hostPath(JsonNode pod, String volume) {
    return elements(pod.path("volumes")).stream()
        .filter(one -> one.path("name").asText().equals(volume))
        .map(one -> one.at("/hostPath/path").asText())
        .findFirst()
        .orElseThrow();
  }
}
