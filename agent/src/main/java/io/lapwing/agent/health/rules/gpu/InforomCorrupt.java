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

/** A board whose InfoROM is corrupted. */
public final class InforomCorrupt implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "inforom_corrupt",
          "The InfoROM of a GPU is corrupted.",
          "The InfoROM stores remapped rows, retired pages and error counts: what it lost is no longer known, and later failures may not be recorded. Running work is in no greater danger; if a reset does not repair it, return the board.",
          "NVML, nvmlDeviceValidateInforom; DCGM, DCGM_FR_CORRUPT_INFOROM",
          Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END),
          Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          Duration.ZERO,
          Duration.ofMinutes(4),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.INFOROM_CONFIG_VALID);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().get(DcgmMetrics.INFOROM_CONFIG_VALID).orElse(1) == 0
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                gpu.subject(),
                "the InfoROM is corrupted",
                DcgmMetrics.INFOROM_CONFIG_VALID.name()))
        : Optional.empty();
  }
}
