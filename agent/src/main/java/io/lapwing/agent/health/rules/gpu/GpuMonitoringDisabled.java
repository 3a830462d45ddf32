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

/** A node whose GPUs are not monitored, because the collector is switched off. */
final class GpuMonitoringDisabled implements HealthRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("driver_unwatched")
        .about("GPU monitoring is switched off.")
        .why("GPUs that are not monitored cannot be reported as healthy.")
        .document("Lapwing, --collector.gpu_driver")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    boolean none = GpuCount.expected(view.node()).orElse(-1) == 0;
    return view.driver() instanceof DriverStatus.NotPolled && !none
        ? List.of(policy.detection(Subject.NODE, "the GPUs are not monitored"))
        : List.of();
  }
}
