package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowdownRulesTest {

  private static final Disposition REPLACE =
      Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);

  private static final double MINUTE = 60e9;
  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  private final RuleRun hardware = new RuleRun(new HwSlowdown());
  private final RuleRun heat = new RuleRun(new ThermalSlowdown());
  private final RuleRun brake = new RuleRun(new PowerBrake());

  private static NodeSnapshots reasons(int gpu, String... reasons) {
    NodeSnapshots node = healthy();
    for (String reason : reasons) {
      node.value(gpu, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, reason);
    }
    return node;
  }

  @Test
  void theHardwareHoldsTheClocksDown() {
    Detection detection = hardware.one(reasons(3, "hw_slowdown"));

    assertThat(detection.what()).isEqualTo("the hardware throttles the clocks");
    assertThat(detection.agedBy(Duration.ZERO).disposition()).isEqualTo(WATCH);
    assertThat(detection.agedBy(Duration.ofHours(1)).disposition()).isEqualTo(REPLACE);
  }

  @Test
  void oneCauseIsReportedOnce() {
    NodeSnapshots hot = reasons(3, "hw_slowdown", "hw_thermal");
    NodeSnapshots braked = reasons(3, "hw_slowdown", "hw_power_brake");

    hardware.silent(hot);
    hardware.silent(braked);
    assertThat(heat.what(hot)).isEqualTo("heat throttles the clocks");
    heat.silent(braked);
    brake.silent(hot);
    assertThat(brake.what(braked))
        .isEqualTo("the power brake of the machine throttles the clocks of GPU 3 down");
  }

  @Test
  void thePowerLimitAndIdlenessAreNoFaults() {
    NodeSnapshots node = reasons(3, "power_cap", "gpu_idle", "clocks_setting", "sync_boost");
    node.grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_SW_POWER_CAP_NS, 10 * MINUTE);

    hardware.silent(node);
    heat.silent(node);
    brake.silent(node);
  }

  @Test
  void heatForATenthOfTheTimeCounts() {
    assertThat(
            heat.what(
                healthy().grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS, MINUTE)))
        .isEqualTo("heat throttled the clocks for 10 % of the last 10 min");
    assertThat(
            heat.what(
                healthy()
                    .grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS, 4 * MINUTE)))
        .isEqualTo("heat throttled the clocks for 40 % of the last 10 min");
    heat.silent(
        healthy()
            .grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS, MINUTE - 1e6)
            .grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS, MINUTE - 1e6));
    assertThat(
            new RuleRun(new ThermalSlowdown())
                .with("share", 0.001)
                .what(healthy().grew(3, DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS, 1e9)))
        .isEqualTo("heat throttled the clocks for less than 1 % of the last 10 min");
  }

  @Test
  void theMarginIsHeldAgainstTheBoardsOwnLimit() {
    assertThat(heat.what(healthy().value(3, DcgmMetrics.GPU_TEMP_LIMIT, -2)))
        .isEqualTo("its temperature margin is -2 C, and slowdown starts at -2 C");
    heat.silent(healthy().value(3, DcgmMetrics.GPU_TEMP_LIMIT, -1));
  }

  @Test
  void theTemperatureCountsWhereThereIsNoMargin() {
    NodeSnapshots node = healthy().without(3, GpuMetrics.TEMPERATURE_LIMIT_MARGIN);

    heat.silent(node.value(3, DcgmMetrics.GPU_TEMP, 86));
    assertThat(heat.what(node.value(3, DcgmMetrics.GPU_TEMP, 87)))
        .isEqualTo("it is at 87 C, and slowdown starts at 87 C");
    heat.silent(node.without(3, DcgmMetrics.SLOWDOWN_TEMP));
  }

  @Test
  void thePowerBrakeIsOneFindingOfTheMachine() {
    NodeSnapshots node =
        reasons(0, "hw_power_brake")
            .value(3, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "hw_power_brake")
            .grew(7, DcgmMetrics.CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS, 3 * MINUTE);

    Detection detection = brake.one(node);

    assertThat(detection.subject()).isEqualTo(Subject.NODE);
    assertThat(detection.what())
        .isEqualTo(
            "the power brake of the machine throttles the clocks of GPUs 0, 3 and 7 down, for up to 30 % of the last 10 min");
    assertThat(detection.agedBy(Duration.ZERO).disposition()).isEqualTo(WATCH);
    assertThat(detection.agedBy(Duration.ofHours(1)).disposition()).isEqualTo(REPLACE);
  }
}
