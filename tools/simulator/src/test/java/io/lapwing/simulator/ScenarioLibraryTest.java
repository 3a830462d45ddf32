package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class ScenarioLibraryTest {
  static Stream<Scenario> scenarios() {
    return Scenario.all().stream();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void everyLineOfEveryScenarioMeansSomethingToTheLibrary(Scenario scenario, @TempDir Path dir) {
    assertThat(scenario.summary()).isNotBlank();
    SimulatedNode node =
        scenario.efaDevicesNeeded() > 0
            ? EfaNode.of("p6-b200.48xlarge", dir).node()
            : TestNode.p5(dir);
    ScenarioPlayer player = new ScenarioPlayer(node, scenario);
    player.begin();
    try (Nvml nvml = new Nvml(node.library())) {
      assertThat(nvml.call("lapwing_ignored_lines")).isZero();
      for (int second = 0; second <= 1_000; second++) {
        if (player.advanceTo(Duration.ofSeconds(second)) > 0) {
          assertThat(nvml.call("lapwing_ignored_lines")).as("at %d s", second).isZero();
        }
      }
    }
    assertThat(player.finished()).isTrue();
  }

  @Test
  void theThermalScenarioEndsInAHardwareSlowdown(@TempDir Path dir) {
    SimulatedNode node = TestNode.p5(dir);
    ScenarioPlayer player = new ScenarioPlayer(node, Scenario.named("thermal"));
    player.begin();
    player.advanceTo(Duration.ofSeconds(60));
    TestNode.letPass(node, 60);
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.temperature(nvml.device(6))).isEqualTo(90);
      assertThat(nvml.wideNumber("nvmlDeviceGetCurrentClocksEventReasons", nvml.device(6)))
          .isEqualTo(0x68);
      assertThat(nvml.field(nvml.device(6), 270).bits()).isPositive();
    }
  }

  @Test
  void anIdleNodeReadsLikeARecordedOne(@TempDir Path dir) {
    SimulatedNode node = TestNode.of("p5en.48xlarge", dir);
    new ScenarioPlayer(node, Scenario.named("idle")).begin();
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.number("nvmlDeviceGetPowerUsage", nvml.device(0))).isBetween(72_000, 82_000);
      assertThat(nvml.temperature(nvml.device(0))).isBetween(26, 30);
      assertThat(nvml.number("nvmlDeviceGetClockInfo", nvml.device(0), 1)).isEqualTo(345);
      assertThat(nvml.number("nvmlDeviceGetClockInfo", nvml.device(0), 2)).isEqualTo(3201);
    }
  }
}
