package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.elements;
import static io.lapwing.packaging.Chart.everything;
import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.ofKind;
import static io.lapwing.packaging.Chart.pod;
import static io.lapwing.packaging.Chart.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart's pods, rendered by Helm itself. */
class HelmChartTest {

  static Stream<Optional<Path>> sites() throws IOException {
    return Chart.sites();
  }

  @Test
  void helmFindsNothingWrong() {
    LintResult result = new Helm(Chart.FOLDER).lint().strict().call();

    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
  }

  @Test
  void byDefaultItTouchesTheNodesAndNothingElse() throws IOException {
    assertThat(objects(template()))
        .extracting(one -> one.path("kind").asText())
        .containsExactlyInAnyOrder("ServiceAccount", "DaemonSet");
  }

  @ParameterizedTest
  @MethodSource("sites")
  void everyObjectHasANameOfItsOwnThatKubernetesTakes(Optional<Path> site) throws IOException {
    List<JsonNode> objects = objects(site);

    assertThat(objects)
        .allSatisfy(
            one -> {
              assertThat(one.path("apiVersion").asText()).isNotEmpty();
              assertThat(one.at("/metadata/name").asText())
                  .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
                  .hasSizeLessThanOrEqualTo(63);
              // RBAC of nodes, which no namespace has.
              if (!one.path("kind").asText().startsWith("Cluster")) {
                assertThat(one.at("/metadata/namespace").asText()).isEqualTo("monitoring");
              }
            })
        .extracting(one -> one.path("kind").asText() + "/" + one.at("/metadata/name").asText())
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("sites")
  void everyMountHasItsVolume(Optional<Path> site) throws IOException {
    JsonNode pod = pod(objects(site));
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

  @ParameterizedTest
  @MethodSource("sites")
  void selectorsMatchThePods(Optional<Path> site) throws IOException {
    List<JsonNode> objects = objects(site);
    JsonNode labels =
        ofKind(objects, "DaemonSet").findFirst().orElseThrow().at("/spec/template/metadata/labels");

    for (JsonNode object : objects) {
      if (object.path("kind").asText().equals("Deployment")) {
        continue; // HelmDrainTest
      }
      object
          .at("/spec/selector/matchLabels")
          .properties()
          .forEach(one -> assertThat(labels.get(one.getKey())).isEqualTo(one.getValue()));
    }
  }

  @Test
  void aDigestTakesThePlaceOfTheTag() throws IOException {
    String digest = "sha256:" + "0f".repeat(32);
    List<JsonNode> objects =
        objects(
            template()
                .set("image.repository", "registry.example:5000/lapwing")
                .set("image.tag", "0.1.0")
                .set("image.digest", digest)
                .set("drain.enabled", "true")
                .set("drain.image.digest", digest));

    for (String kind : List.of("containers", "initContainers")) {
      assertThat(elements(pod(objects).path(kind)))
          .isNotEmpty()
          .extracting(one -> one.path("image").asText())
          .containsOnly("registry.example:5000/lapwing@" + digest);
    }
    assertThat(
            ofKind(objects, "Deployment")
                .findFirst()
                .orElseThrow()
                .at("/spec/template/spec/containers/0/image")
                .asText())
        .isEqualTo("lapwing-drain@" + digest);
    assertThat(pod(objects(template())).at("/containers/0/image").asText())
        .isEqualTo("lapwing:0.1.0");
    assertThatThrownBy(() -> template().set("image.digest", "sha256:short").call())
        .hasMessageContaining("digest");
  }

  @Test
  void theStepsHaveAFileSystemOfTheirOwn() throws IOException {
    JsonNode pod = pod(objects(template().set("host.kmsg", "false")));
    JsonNode init = pod.at("/initContainers/0");
    String script = init.at("/command/2").asText();
    for (String option : List.of("size=64m", "nr_inodes=16k", "nosuid", "nodev", "noexec")) {
      assertThat(script).contains(option);
    }
    assertThat(init.at("/volumeMounts/0/mountPropagation").asText()).isEqualTo("Bidirectional");
    assertThat(elements(pod.at("/containers/0/volumeMounts")))
        .filteredOn(one -> one.path("name").asText().equals("steps"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.path("mountPropagation").asText()).isEqualTo("HostToContainer");
              assertThat(one.path("readOnly").asBoolean()).isTrue();
            });
  }

  @Test
  void theAgentHasOneCapabilityAndASidecarCopiesTheKernelLog() throws IOException {
    JsonNode pod = pod(objects(template()));
    assertThatItHasOneCapability(pod.at("/containers/0/securityContext"));
    assertThat(elements(pod.at("/containers/0/args")))
        .extracting(JsonNode::asText)
        .contains("--path.kmsg=/run/kmsg/kmsg");
    assertThat(mounts(pod.at("/containers/0"))).contains("kmsg-fifo").doesNotContain("kmsg");

    JsonNode sidecar = pod.at("/containers/1");
    assertThat(sidecar.at("/securityContext/privileged").asBoolean()).isTrue();
    assertThat(sidecar.has("ports")).isFalse();
    assertThat(mounts(sidecar)).containsExactly("kmsg", "kmsg-fifo");
    assertThat(elements(pod.path("initContainers")))
        .filteredOn(one -> mounts(one).contains("kmsg-fifo"))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.at("/securityContext/capabilities/drop/0").asText())
                    .isEqualTo("ALL"));
  }

  @Test
  void withoutTheKernelLogNothingIsPrivileged() throws IOException {
    JsonNode pod = pod(objects(template().set("host.kmsg", "false").set("host.steps", "false")));

    assertThat(elements(pod.path("containers"))).hasSize(1);
    assertThatItHasOneCapability(pod.at("/containers/0/securityContext"));
    assertThat(pod.toString()).doesNotContain("kmsg", "privileged");
  }

  @Test
  void thePrivilegedAgentReadsTheKernelLogItself() throws IOException {
    JsonNode pod = pod(objects(template().set("host.privileged", "true")));

    assertThat(elements(pod.path("containers"))).hasSize(1);
    JsonNode security = pod.at("/containers/0/securityContext");
    assertThat(security.path("privileged").asBoolean()).isTrue();
    // Kubernetes refuses the two together.
    assertThat(security.has("allowPrivilegeEscalation")).isFalse();
    assertThat(mounts(pod.at("/containers/0"))).contains("kmsg").doesNotContain("kmsg-fifo");
  }

  private static void assertThatItHasOneCapability(JsonNode security) {
    assertThat(security.has("privileged")).isFalse();
    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(elements(security.at("/capabilities/add")))
        .extracting(JsonNode::asText)
        .containsExactly("DAC_READ_SEARCH");
  }

  private static List<String> mounts(JsonNode container) {
    return elements(container.path("volumeMounts")).stream()
        .map(one -> one.path("name").asText())
        .toList();
  }

  /** What the sidecar's command makes of a log, when cat is restarted. */
  @Test
  void theSidecarCopiesRecordsIntoTheFifo(@TempDir Path dir) throws Exception {
    Path log = Files.writeString(dir.resolve("kmsg"), "6,1,10,-;one\n6,2,20,-;two\n");
    JsonNode pod = pod(objects(template()));
    String init = pod.at("/initContainers/0/command/2").asText();
    String copy = pod.at("/containers/1/command/2").asText();
    assertThat(sh(init, dir, log).waitFor()).isZero();
    Process copying = sh(copy, dir, log);
    try (BufferedReader lines = Files.newBufferedReader(dir.resolve("fifo/kmsg"))) {
      assertThat(lines.readLine()).isEqualTo("6,1,10,-;one");
      assertThat(lines.readLine()).isEqualTo("6,2,20,-;two");
      assertThat(lines.readLine()).as("from its beginning again").isEqualTo("6,1,10,-;one");
    } finally {
      copying.destroyForcibly();
    }
  }

  private static Process sh(String command, Path dir, Path log) throws IOException {
    Files.createDirectories(dir.resolve("fifo"));
    String here =
        command
            .replace("/run/kmsg", dir.resolve("fifo").toString())
            .replace("/dev/kmsg", log.toString());
    return new ProcessBuilder("sh", "-c", here).inheritIO().start();
  }

  @Test
  void aNetworkPolicyNamesWhoMayConnect() throws IOException {
    JsonNode policy = ofKind(everything(), "NetworkPolicy").findFirst().orElseThrow();
    assertThat(policy.at("/spec/ingress/0/ports/0/port").asInt()).isEqualTo(9754);
    assertThat(policy.at("/spec/ingress/0/from/0").has("namespaceSelector")).isTrue();

    JsonNode own =
        ofKind(
                objects(
                    template().set("host.network", "false").set("networkPolicy.enabled", "true")),
                "NetworkPolicy")
            .findFirst()
            .orElseThrow();
    assertThat(own.at("/spec/ingress/0/from/0").has("podSelector")).isTrue();

    assertThatThrownBy(() -> template().set("networkPolicy.enabled", "true").call())
        .hasMessageContaining("host.network=false");
  }

  @Test
  void theAgentWritesNothingButItsStateAndHasNoToken() throws IOException {
    JsonNode pod = pod(objects(template()));

    assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(elements(pod.at("/containers/0/volumeMounts")))
        .filteredOn(mount -> !mount.path("readOnly").asBoolean())
        .extracting(mount -> mount.path("name").asText())
        .containsExactly("state", "tmp", "run", "kmsg-fifo");
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
  }

  @Test
  void aNodeThatIsTaintedIsWatched() throws IOException {
    JsonNode pod = pod(objects(template()));

    assertThat(pod.at("/tolerations/0/operator").asText()).isEqualTo("Exists");
    assertThat(pod.at("/tolerations/0").size()).isOne();
  }

  @Test
  void aValueThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> template().set("tolerate", "all").call())
        .hasMessageContaining("tolerate");
    assertThatThrownBy(() -> template().set("port", "0").call()).hasMessageContaining("port");
  }
}
