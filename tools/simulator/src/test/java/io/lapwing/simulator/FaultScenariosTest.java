package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That the faults show themselves on the channels where a real driver shows them. */
@Tag("slow")
class FaultScenariosTest {
  /** Of the kernel itself: the facility is in the priority's upper bits. */
  private static final Pattern XID =
      Pattern.compile("[0-7],\\d+,\\d+,-;NVRM: Xid \\(PCI:(0000:..:00)\\): (\\d+)(, .*)?");

  private static SimulatedNode played(Path dir, String type, String scenario, int seconds) {
    SimulatedNode node = TestNode.of(type, dir);
    ScenarioPlayer player = new ScenarioPlayer(node, Scenario.named(scenario));
    player.begin();
    for (int second = 0; second <= seconds; second++) {
      TestNode.letPass(node, second);
      player.advanceTo(Duration.ofSeconds(second));
    }
    return node;
  }

  /** "2:48" for XID 48 of GPU 2, in the order in which they came, each once. */
  private static Set<String> xids(SimulatedNode node) throws IOException {
    Set<String> xids = new LinkedHashSet<>();
    for (String line : Files.readAllLines(node.kmsg())) {
      Matcher xid = XID.matcher(line);
      if (xid.matches()) {
        xids.add(node.type().busIds().indexOf(xid.group(1) + ".0") + ":" + xid.group(2));
      }
    }
    return xids;
  }

  @ParameterizedTest
  @CsvSource({
    "xid-13, 3:13 3:43",
    "xid-48, 2:48 2:171 2:63 2:94 2:45 2:154",
    "xid-63, 2:63",
    "row-remap, 5:63",
    "row-remap-failure, 2:48 2:64 2:95 2:154",
    "memory-unrepairable, ''",
    "remap-banks-low, ''",
    "sram-threshold, 4:172 4:48 4:95",
    "inforom-corrupt, ''",
    "sbe-acceleration, ''",
    "xid-74, 0:74 1:74 1:45",
    "xid-79, 5:79",
    "xid-94, 2:63 2:94 2:45",
    "xid-95, 2:48 2:95 2:154",
    "xid-119, 4:119",
    "nvlink-down, ''",
    "nvlink5-fatal, 2:149 5:145 2:154",
    "recovery-action, 3:154",
    "driver-hang, 3:119",
    "driver-unloaded, ''",
    "gpu-missing, ''",
    "gpu-returns, 5:79",
    "gpu-lost, 5:79",
    "fabric-failed, ''",
    "pcie-degraded, ''",
    "power-brake, ''",
    "ecc-disabled, ''",
    "off-bus-text, ''",
    "forged-xid, ''",
    "sxid, ''",
    "xid-storm-kernel, 1:31 1:45 6:48"
  })
  void theKernelLogHasTheFault(String scenario, String expected, @TempDir Path dir)
      throws IOException {
    SimulatedNode node = played(dir, "p6-b200.48xlarge", scenario, 20);
    assertThat(String.join(" ", xids(node))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xid-48",
        "xid-63",
        "row-remap",
        "row-remap-failure",
        "memory-unrepairable",
        "sram-threshold",
        "xid-74",
        "xid-79",
        "xid-94",
        "xid-95",
        "xid-119",
        "nvlink-down",
        "nvlink5-fatal",
        "recovery-action",
        "driver-hang",
        "driver-unloaded",
        "gpu-missing",
        "gpu-returns",
        "fabric-failed",
        "pcie-degraded",
        "power-brake",
        "ecc-disabled",
        "off-bus-text",
        "sxid"
      })
  void theActThatHealsItLeavesNothingBehind(String scenario, @TempDir Path dir) {
    SimulatedNode node = played(dir, "p6-b200.48xlarge", scenario, 310);
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.deviceCount()).isEqualTo(8);
      for (int gpu = 0; gpu < 8; gpu++) {
        Pointer device = nvml.device(gpu);
        assertThat(nvml.temperatureCode(device)).isZero();
        assertThat(nvml.field(device, 230).bits()).as("recovery action").isZero();
        assertThat(nvml.field(device, 226).bits()).as("reset required").isZero();
        Memory rows = new Memory(16);
        nvml.call(
            "nvmlDeviceGetRemappedRows",
            device,
            rows,
            rows.share(4),
            rows.share(8),
            rows.share(12));
        assertThat(rows.getInt(8)).as("pending").isZero();
        assertThat(rows.getInt(12)).as("failed").isZero();
        assertThat(nvml.number("nvmlDeviceGetUnrepairableMemoryFlag_v1", device))
            .as("unrepairable")
            .isZero();
        assertThat(nvml.number("nvmlDeviceGetCurrPcieLinkWidth", device)).isEqualTo(16);
        for (int link = 0; link < 18; link++) {
          assertThat(nvml.number("nvmlDeviceGetNvLinkState", device, link)).isEqualTo(1);
        }
        Memory fabric = new Memory(28);
        nvml.call("nvmlDeviceGetGpuFabricInfo", device, fabric);
        assertThat(fabric.getInt(16)).as("fabric status").isZero();
        assertThat(fabric.getByte(24)).as("fabric state").isEqualTo((byte) 3);
      }
    }
  }

  @Test
  void correctedErrorsThatAccelerateGoOnFromTheHistoryAndEndWithTheMachine(@TempDir Path dir) {
    SimulatedNode node = TestNode.p5(dir);
    ScenarioPlayer player = new ScenarioPlayer(node, Scenario.named("sbe-acceleration"));
    player.begin();
    long before = 412;
    try (Nvml nvml = Nvml.of(node)) {
      for (int second = 0; second < 120; second++) {
        TestNode.letPass(node, second + 0.7);
        player.advanceTo(Duration.ofSeconds(second));
        long errors = correctedInAll(nvml, 4);
        assertThat(errors).as("at %d s", second).isGreaterThanOrEqualTo(before);
        before = errors;
      }
      assertThat(before).isGreaterThan(415);
      assertThat(correctedInAll(nvml, 3)).isEqualTo(3);
    }
    player.advanceTo(Duration.ofMinutes(2));
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(correctedInAll(nvml, 4)).isZero();
    }
  }

  private static long correctedInAll(Nvml nvml, int gpu) {
    return nvml.wideNumber("nvmlDeviceGetTotalEccErrors", nvml.device(gpu), 0, 1);
  }

  @Test
  void aCorruptedInforomStaysThroughAResetAndGoesWithTheMachine(@TempDir Path dir) {
    SimulatedNode node = TestNode.p5(dir);
    ScenarioPlayer player = new ScenarioPlayer(node, Scenario.named("inforom-corrupt"));
    player.begin();
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.call("nvmlDeviceValidateInforom", nvml.device(6))).isEqualTo(14);
      assertThat(nvml.call("nvmlDeviceValidateInforom", nvml.device(5))).isZero();
      player.advanceTo(Duration.ofSeconds(61));
      assertThat(nvml.call("nvmlDeviceValidateInforom", nvml.device(6))).isEqualTo(14);
    }
    player.advanceTo(Duration.ofSeconds(121));
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.call("nvmlDeviceValidateInforom", nvml.device(6))).isZero();
    }
  }

  @Test
  void aGspTimeoutIsABurstOfThirtyWithWhatFollowsTheFirst(@TempDir Path dir) throws IOException {
    SimulatedNode node = played(dir, "p5.48xlarge", "xid-119", 80);
    String log = Files.readString(node.kmsg());
    assertThat(log.split("\\): 119, ", -1)).hasSize(31);
    assertThat(log).contains(";NVRM: GPU4 RPC history (CPU -> GSP):\n").contains("; <TASK>\n");
  }
}
