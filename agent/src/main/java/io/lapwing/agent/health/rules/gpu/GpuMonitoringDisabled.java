package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.util.List;

/** A node whose GPUs nobody looks at. */
public final class GpuMonitoringDisabled implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "driver_unwatched",
          "The agent was told not to look at the GPUs.",
          "What is not looked at cannot be called healthy.",
          "Lapwing, --collector.gpu_driver",
          Disposition.unknown(),
          Disposition.unknown(),
          Duration.ofSeconds(10),
          Duration.ZERO,
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    boolean none = GpuCount.expected(view.node()).orElse(-1) == 0;
    return view.driver() instanceof DriverStatus.NotLookedAt && !none
        ? List.of(Detection.now(SPEC, policy, Subject.NODE, "nobody looks at the GPUs"))
        : List.of();
  }
}
