package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValuesTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private SimulatedNode node;
  private Nvml nvml;
  private Pointer gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
    gpu = nvml.device(0);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  @Test
  void theLibraryIsMarkedAsSimulated() {
    assertThat(nvml.call("lapwing_simulated")).isEqualTo(1);
  }

  @Test
  void aP5HasEightGpusThatCallThemselvesAsRealOnesDo() {
    assertThat(nvml.deviceCount()).isEqualTo(8);
    assertThat(nvml.text("nvmlDeviceGetName", gpu)).isEqualTo("NVIDIA H100 80GB HBM3");
    assertThat(nvml.text("nvmlDeviceGetUUID", gpu)).startsWith("GPU-");
    assertThat(nvml.text("nvmlDeviceGetUUID", nvml.device(1)))
        .isNotEqualTo(nvml.text("nvmlDeviceGetUUID", gpu));
  }

  @Test
  void valuesMoveWhenTimeIsLive() {
    node.set("time", "live");
    int before = nvml.number("nvmlDeviceGetPowerUsage", gpu);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(nvml.number("nvmlDeviceGetPowerUsage", gpu)).isNotEqualTo(before));
  }

  @Test
  void anHourOfTheNodePassesInASecond() {
    node.set("gpu.0.temperature", "20 + 0.01/s since now");
    node.pace(3600);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(nvml.temperature(gpu)).isGreaterThan(40);
              assertThat(node.clock().instant()).isAfter(Instant.ofEpochSecond(TestNode.EPOCH));
            });
  }

  @Test
  void energyNeverGoesBackWhereTimeSlowsDown() {
    long before = 0;
    for (int i = 0; i < 20; i++) {
      node.pace(i % 2 == 0 ? 100 : 1);
      for (int read = 0; read < 50; read++) {
        long energy = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
        assertThat(energy).isGreaterThanOrEqualTo(before);
        before = energy;
      }
    }
  }

  @Test
  void aPacedNodeIsTheSameBootAsBefore() throws IOException {
    Path id = node.procfs().resolve("sys/kernel/random/boot_id");
    String boot = Files.readString(id);
    node.pace(60);
    node.set("gpu.0.temperature", "30");
    node.kernel("NVRM: a message");

    assertThat(Files.readString(id)).isNotEqualTo("").isEqualTo(boot);
    assertThat(Files.readString(node.kmsg())).endsWith(",-;NVRM: a message\n");
  }

  @Test
  void valuesStandWhenTimeIsFixed() {
    int power = nvml.number("nvmlDeviceGetPowerUsage", gpu);
    long energy = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    for (int i = 0; i < 1000; i++) {
      assertThat(nvml.number("nvmlDeviceGetPowerUsage", gpu)).isEqualTo(power);
      assertThat(nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu)).isEqualTo(energy);
    }
  }

  @Test
  void valuesAreTheSameAtTheSameMomentInEveryRun(@TempDir Path other) {
    try (Nvml twin = Nvml.of(TestNode.p5(other))) {
      assertThat(twin.number("nvmlDeviceGetPowerUsage", twin.device(0)))
          .isEqualTo(nvml.number("nvmlDeviceGetPowerUsage", gpu));
    }
  }

  @Test
  void nodesInOneProcessDoNotShareTheirState(@TempDir Path other) {
    SimulatedNode twin = TestNode.p5(other);
    try (Nvml library = Nvml.of(twin)) {
      node.set("gpu.0.temperature", "41");
      twin.set("gpu.0.temperature", "42");
      assertThat(nvml.temperature(gpu)).isEqualTo(41);
      assertThat(library.temperature(library.device(0))).isEqualTo(42);
    }
  }

  @Test
  void loadDrivesPowerTemperatureAndClocksTogether() {
    node.set("gpu.*.load", "0");
    int idlePower = nvml.number("nvmlDeviceGetPowerUsage", gpu);
    int idleTemperature = nvml.temperature(gpu);
    int idleClock = nvml.number("nvmlDeviceGetClockInfo", gpu, 1);
    node.set("gpu.*.load", "1");
    assertThat(nvml.number("nvmlDeviceGetPowerUsage", gpu)).isGreaterThan(4 * idlePower);
    assertThat(nvml.temperature(gpu)).isGreaterThan(idleTemperature);
    assertThat(nvml.number("nvmlDeviceGetClockInfo", gpu, 1)).isGreaterThan(idleClock);
  }

  @Test
  void aLaterLineWinsOverAnEarlierOne() {
    node.set("gpu.0.temperature", "50");
    node.set("gpu.*.temperature", "60");
    assertThat(nvml.temperature(gpu)).isEqualTo(60);
    node.set("gpu.0.temperature", "50");
    assertThat(nvml.temperature(gpu)).isEqualTo(50);
    node.clear("gpu.0.temperature");
    assertThat(nvml.temperature(gpu)).isEqualTo(60);
  }

  @Test
  void aRampRunsFromTheEpochToItsLimit() {
    node.set("gpu.0.temperature", "40 + 2/s max 60");
    assertThat(nvml.temperature(gpu)).isEqualTo(40);
    TestNode.letPass(node, 5);
    assertThat(nvml.temperature(gpu)).isEqualTo(50);
    TestNode.letPass(node, 500);
    assertThat(nvml.temperature(gpu)).isEqualTo(60);
  }

  @Test
  void aRampSinceNowBeginsWhenItIsSet() {
    TestNode.letPass(node, 100);
    node.set("gpu.0.temperature", "40 + 1/s since now");
    TestNode.letPass(node, 107);
    assertThat(nvml.temperature(gpu)).isEqualTo(47);
  }

  @Test
  void energyIsTheIntegralOfPower() {
    node.set("gpu.0.power", "500");
    long before = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    TestNode.letPass(node, 10);
    long after = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    assertThat(after - before).isEqualTo(5_000_000);
  }

  @Test
  void energyOfARampThatEndsIsTheAreaUnderIt() {
    node.set("gpu.0.power", "100 + 10/s max 200");
    long before = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    TestNode.letPass(node, 20);
    long after = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    assertThat(after - before).isEqualTo((10 * 150 + 10 * 200) * 1000L);
  }

  @Test
  void countersGoOnWhenTheirRateChanges() {
    node.set("gpu.0.power", "500");
    TestNode.letPass(node, 1000);
    long before = nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu);
    node.set("gpu.0.power", "100");
    assertThat(nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu)).isEqualTo(before);
    TestNode.letPass(node, 1010);
    assertThat(nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", gpu))
        .isEqualTo(before + 1_000_000);
  }

  @Test
  void noWobbleAndNoRampMakesACounterGoBack() {
    node.set("gpu.0.nvlink.tx", "1 ~ 50");
    node.set("gpu.0.pcie.tx", "100 - 10/s");
    long sent = 0;
    long written = 0;
    for (int second = 1; second < 100; second++) {
      TestNode.letPass(node, second);
      assertThat(nvml.field(gpu, 138, Nvml.ALL_LINKS).bits()).isGreaterThanOrEqualTo(sent);
      assertThat(nvml.field(gpu, 197).bits()).isGreaterThanOrEqualTo(written);
      sent = nvml.field(gpu, 138, Nvml.ALL_LINKS).bits();
      written = nvml.field(gpu, 197).bits();
    }
  }

  @Test
  void unsupportedIsAnAnswerOfItsOwnAndPassesToWhatFollowsIt() {
    node.set("gpu.0.temperature", "unsupported");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(3);
    node.clear("gpu.0.temperature");
    node.set("gpu.0.ecc.corrected.volatile.dram", "unsupported");
    assertThat(nvml.field(gpu, 22).code()).isEqualTo(3);
  }

  @Test
  void clockReasonsFollowLoadAndPowerUntilTheyAreSet() {
    node.set("gpu.0.load", "0");
    assertThat(nvml.wideNumber("nvmlDeviceGetCurrentClocksEventReasons", gpu)).isEqualTo(0x1);
    node.setAll(Map.of("gpu.0.load", "1", "gpu.0.power", "699"));
    assertThat(nvml.wideNumber("nvmlDeviceGetCurrentClocksEventReasons", gpu)).isEqualTo(0x4);
    node.set("gpu.0.clocks.reasons", "0x48");
    assertThat(nvml.wideNumber("nvmlDeviceGetCurrentClocksThrottleReasons", gpu)).isEqualTo(0x48);
  }
}
