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

/** A remapped row that becomes active with the next reset. */
final class RowRemapPending implements GpuRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("row_remap_pending")
        .about("A remapped row of memory waits for a reset of the GPU.")
        .why(
            "The driver already keeps work off the bad row, so the job may finish first; the reset activates the spare row. Profile aws asks for a replacement when the remap itself is reported (XID 63), not while it is pending.")
        .document("NVIDIA GPU Memory Error Management, row remapping")
        .disposition(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .closeAfter(Duration.ofSeconds(30))
        .needs(DcgmMetrics.ROW_REMAP_PENDING)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.ROW_REMAP_PENDING)
        ? Optional.of(
            policy.detection(
                gpu.subject(),
                "a remapped row of memory waits for a reset",
                DcgmMetrics.ROW_REMAP_PENDING))
        : Optional.empty();
  }
}
