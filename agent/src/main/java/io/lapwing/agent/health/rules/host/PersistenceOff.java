package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.util.List;

/** GPUs whose driver state is lost while no process uses them. */
final class PersistenceOff implements HealthRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("persistence_mode_off")
        .about("Persistence mode is off on GPUs of this node.")
        .why(
            "While no process uses such a GPU the driver shuts it down: each job starts seconds later, and settings such as clock limits are lost. The agent itself keeps the GPU open.")
        .document("NVIDIA, Driver Persistence")
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(1))
        .needs(DcgmMetrics.PERSISTENCE_MODE)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Integer> off =
        view.gpus().stream()
            .filter(gpu -> gpu.values().get(DcgmMetrics.PERSISTENCE_MODE).orElse(1) == 0)
            .map(GpuStatus::index)
            .toList();
    return off.isEmpty()
        ? List.of()
        : List.of(
            policy.detection(
                Subject.NODE,
                "persistence mode is off on " + RuleText.named("GPU", off),
                DcgmMetrics.PERSISTENCE_MODE));
  }
}
