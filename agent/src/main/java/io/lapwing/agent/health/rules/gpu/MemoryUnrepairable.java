package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.util.Optional;

/** Memory that the driver can neither remap nor repair. */
final class MemoryUnrepairable implements RemapRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("memory_unrepairable")
        .about("The driver reports GPU memory that cannot be repaired.")
        .why(
            "Neither spare rows nor a reset help. DCGM fails its memory watch for this flag with a code that says to isolate the GPU and to run the field diagnostic, which decides on its return.")
        .document(
            "NVML API Reference, nvmlDeviceGetUnrepairableMemoryFlag_v1 (vR590); DCGM, DCGM_FR_FAULTY_MEMORY")
        .disposition(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
        .closeAfter(Duration.ofMinutes(4))
        .needs(DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG)
        ? Optional.of(
            policy.detection(
                gpu.subject(),
                "the driver reports memory that cannot be repaired",
                DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG))
        : Optional.empty();
  }
}
