package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** A call into the driver that does not return. */
public final class DriverHung implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "driver_hung",
          "A call into the driver does not return.",
          "Whatever starts on this node calls the same driver and blocks too; only a reboot unloads a hung driver.",
          "Lapwing, --poll.deadline",
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.driver() instanceof DriverStatus.Hung hung
        ? List.of(
            Detection.now(
                SPEC,
                policy,
                Subject.NODE,
                "a call into the driver has not returned for " + RuleText.duration(hung.since()),
                GpuMetrics.DRIVER_UP.name()))
        : List.of();
  }
}
