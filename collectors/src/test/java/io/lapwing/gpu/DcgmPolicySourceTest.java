package io.lapwing.gpu;

import static io.lapwing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.dcgm.JnaDcgm;
import io.lapwing.dcgm.LoadedDcgm;
import io.lapwing.metric.Labels;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DcgmPolicySourceTest {

  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(new FakeNvml(8)));
  private final GpuRoster roster = new GpuRoster();
  private SimulatedNode node;
  private LoadedDcgm dcgm;
  private DcgmPolicySource source;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
    List<String> libraries = List.of(node.dcgmLibrary(4).toString());
    dcgm = new LoadedDcgm(() -> JnaDcgm.load(libraries));
    source = source(new DcgmMode.At(DcgmAddress.TCP));
    add(0);
    add(1);
  }

  @AfterEach
  void close() {
    source.close();
  }

  private DcgmPolicySource source(DcgmMode mode) {
    return new DcgmPolicySource(
        new HostEngineAccess(mode, new HostEngines(node.procfs()), dcgm),
        new GpuContext(
            driver, roster, Probe.VIEW, () -> Instant.ofEpochSecond(StillNode.EPOCH), () -> 0));
  }

  private String uuid(int gpu) {
    return node.lines().getOrDefault("gpu." + gpu + ".uuid", "");
  }

  private void add(int gpu) {
    GpuIdentity identity = new GpuIdentity(gpu, uuid(gpu), "", "", "", "", "", "");
    Labels labels = Labels.of("gpu", "" + gpu);
    roster.present(new GpuRoster.Known(identity, Labels.NONE, labels, 1));
  }

  private Access round() {
    return source.begin(source.collectors());
  }

  private List<String> lines() {
    return RecordedSink.of(source.collectors().get(0)).lines();
  }

  private void awaitLines(String... expected) {
    await().untilAsserted(() -> assertThat(lines()).containsExactly(expected));
  }

  private static String line(int gpu, String condition, int count) {
    return "lapwing_gpu_dcgm_policy_violations_total{gpu=\""
        + gpu
        + "\",condition=\""
        + condition
        + "\"} "
        + count;
  }

  @Test
  void aConditionOfAPolicyStartsAtZeroAndOthersAreAbsent() {
    node.setAll(Map.of("dcgm.policy.0", "0x41", "dcgm.policy.7", "0x1"));
    assertThat(round()).isEqualTo(Access.READY);
    assertThat(lines()).containsExactly(line(0, "DBE", 0), line(0, "XID", 0));
    node.set("dcgm.violation.1", "0 0x40");
    awaitLines(line(0, "DBE", 0), line(0, "XID", 1));
  }

  /** Registering makes the engine sample: without a policy nothing is registered. */
  @Test
  void withoutAPolicyNothingIsRegistered() {
    node.set("system.return.dcgmPolicyRegister_v2", "3");
    assertThat(round()).isEqualTo(Access.READY);
    assertThat(lines()).isEmpty();
    node.set("dcgm.policy.0", "1");
    assertThat(round())
        .isEqualTo(
            new Access.Down(
                "generic_error", "policies of the host engine localhost:5555: generic_error"));
  }

  @Test
  void whatWasCountedStaysWhenThePolicyIsClearedAndSetAgain() {
    node.set("dcgm.policy.0", "8");
    round();
    node.set("dcgm.violation.1", "0 8");
    awaitLines(line(0, "THERMAL", 1));
    node.set("dcgm.policy.0", "0");
    round();
    assertThat(lines()).isEmpty();
    node.set("dcgm.policy.0", "8");
    round();
    assertThat(lines()).containsExactly(line(0, "THERMAL", 1));
    node.set("dcgm.violation.2", "0 8");
    awaitLines(line(0, "THERMAL", 2));
  }

  @Test
  void anEngineThatIsGoneCostsTheseSeriesAndIsRegisteredWithAgain() {
    node.set("dcgm.policy.*", "0x20");
    round();
    node.set("dcgm.violation.1", "1 0x20");
    awaitLines(line(0, "NVLINK", 0), line(1, "NVLINK", 1));
    node.set("dcgm.engine", "0");
    assertThat(round())
        .isEqualTo(
            new Access.Down(
                "connection_not_valid",
                "policies of the host engine localhost:5555: connection_not_valid"));
    assertThat(lines()).isEmpty();
    node.setAll(Map.of("dcgm.engine", "1", "dcgm.generation", "2"));
    assertThat(round()).isEqualTo(Access.READY);
    assertThat(lines()).containsExactly(line(0, "NVLINK", 0), line(1, "NVLINK", 1));
    node.set("dcgm.violation.2", "1 0x20");
    awaitLines(line(0, "NVLINK", 0), line(1, "NVLINK", 2));
  }

  @Test
  void aGpuThatIsAddedLaterIsRegisteredForToo() {
    node.setAll(Map.of("gpu.2.missing", "1", "dcgm.policy.2", "1"));
    round();
    assertThat(lines()).isEmpty();
    node.clear("gpu.2.missing");
    add(2);
    round();
    node.set("dcgm.violation.1", "2 1");
    awaitLines(line(2, "DBE", 1));
  }

  @Test
  void anEngineWithoutPoliciesIsNoFault() {
    node.set("system.return.dcgmPolicyGet", "33");
    assertThat(round()).isInstanceOf(Access.NothingHere.class);
    node.clear("system.return.dcgmPolicyGet");
    assertThat(round()).isEqualTo(Access.READY);
  }

  @Test
  void aNodeWithoutAnEngineIsInOrder() {
    source = source(new DcgmMode.Auto());
    assertThat(round()).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void whileTheGpusAreReleasedNoEngineIsUsed() {
    node.set("dcgm.policy.0", "1");
    round();
    driver.release().set(Optional.of("for maintenance"));
    assertThat(round())
        .isEqualTo(new Access.Down("released", "the GPUs are released for maintenance"));
    assertThat(lines()).isEmpty();
    driver.release().set(Optional.empty());
    round();
    assertThat(lines()).containsExactly(line(0, "DBE", 0));
  }
}
