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

/** A remapped row that becomes active with the next reset. */
public final class RowRemapPending implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "row_remap_pending",
          "A remapped row of memory waits for a reset of the GPU.",
          "The driver already keeps work off the bad row, so the job may finish first; the reset activates the spare row. Profile aws asks for a replacement when the remap itself is reported (XID 63), not while it is pending.",
          "NVIDIA GPU Memory Error Management, row remapping",
          Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          Duration.ZERO,
          Duration.ofSeconds(30),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.ROW_REMAP_PENDING);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.ROW_REMAP_PENDING)
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                gpu.subject(),
                "a remapped row of memory waits for a reset",
                DcgmMetrics.ROW_REMAP_PENDING.name()))
        : Optional.empty();
  }
}
