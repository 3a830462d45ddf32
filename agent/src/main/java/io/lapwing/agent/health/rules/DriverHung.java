package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** A driver whose call does not come back. */
public final class DriverHung implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "driver_hung",
          "A call into the driver does not come back.",
          "Whatever starts on this node asks the same driver and waits too; only a reboot unloads a driver that hangs.",
          "Lapwing, --poll.deadline",
          Call.failing(Action.REBOOT_NODE, Urgency.NOW),
          Call.failing(Action.REBOOT_NODE, Urgency.NOW),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    return view.driver() instanceof DriverNow.Hung hung
        ? List.of(
            Symptom.now(
                SPEC,
                policy,
                Subject.NODE,
                "a call into the driver has not come back for " + Words.duration(hung.since()),
                GpuMetrics.DRIVER_UP.name()))
        : List.of();
  }
}
