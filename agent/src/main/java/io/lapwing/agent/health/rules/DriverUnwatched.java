package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import java.time.Duration;
import java.util.List;

/** A node whose GPUs nobody looks at. */
public final class DriverUnwatched implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "driver_unwatched",
          "The agent was told not to look at the GPUs.",
          "What is not looked at cannot be called healthy.",
          "Lapwing, --collector.gpu_driver",
          Call.unknown(),
          Call.unknown(),
          Duration.ofSeconds(10),
          Duration.ZERO,
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    boolean none = GpuCount.expected(view.node()).orElse(-1) == 0;
    return view.driver() instanceof DriverNow.NotLookedAt && !none
        ? List.of(Symptom.now(SPEC, policy, Subject.NODE, "nobody looks at the GPUs"))
        : List.of();
  }
}
