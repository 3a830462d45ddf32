package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** GPUs that the agent keeps closed at the request of an operator. */
final class GpusReleased implements HealthRule {

  /** Longer than a lost GPU takes to become a finding: no verdict in between may be healthy. */
  private static final Duration CLOSE_AFTER = Duration.ofSeconds(15);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpus_released")
        .about("An operator released the GPUs, and the agent does not read them.")
        .why("GPUs that are not read cannot be reported as healthy.")
        .document("Lapwing, lapwing release")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ZERO)
        .closeAfter(CLOSE_AFTER)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.driver() instanceof DriverStatus.Released released
        ? List.of(policy.detection(Subject.NODE, released.why(), GpuMetrics.DRIVER_UP))
        : List.of();
  }

  @Override
  public boolean readsReleased() {
    return true;
  }
}
