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
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A row with errors that has no spare row. */
public final class RowRemapFailure implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "row_remap_failure",
          "A row of memory with uncorrectable errors could not be remapped.",
          "The row stays in use and fails again, and no reset fixes it: NVIDIA accepts this flag as a reason to return the GPU.",
          "NVIDIA GPU Memory Error Management, RMA criteria",
          Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
          Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
          Duration.ZERO,
          Duration.ofMinutes(2),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.ROW_REMAP_FAILURE);
  }

  @Override
  public List<Metric> reads() {
    return List.of(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.ROW_REMAP_FAILURE)
        ? Optional.of(
            Detection.now(
                SPEC, policy, gpu.subject(), what(gpu), DcgmMetrics.ROW_REMAP_FAILURE.name()))
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
