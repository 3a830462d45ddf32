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

/** A row with errors that has no spare row. */
final class RowRemapFailure implements RemapRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("row_remap_failure")
        .about("A row of memory with uncorrectable errors could not be remapped.")
        .why(
            "The row stays in use and fails again, and no reset fixes it: NVIDIA accepts this flag as a reason to return the GPU.")
        .document("NVIDIA GPU Memory Error Management, RMA criteria")
        .disposition(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
        .closeAfter(Duration.ofMinutes(2))
        .needs(DcgmMetrics.ROW_REMAP_FAILURE)
        .reads(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.ROW_REMAP_FAILURE)
        ? Optional.of(policy.detection(gpu.subject(), what(gpu), DcgmMetrics.ROW_REMAP_FAILURE))
        : Optional.empty();
  }

  private static String what(GpuStatus gpu) {
    return "a row of memory could not be remapped" + remapped(gpu);
  }

  private static String remapped(GpuStatus gpu) {
    double rows = gpu.values().get(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS).orElse(0);
    return rows > 0
        ? " (" + RuleText.count(rows, "row") + (rows == 1 ? " was" : " were") + " remapped before)"
        : "";
  }
}
