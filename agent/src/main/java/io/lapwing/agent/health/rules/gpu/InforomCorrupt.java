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

/** A board whose InfoROM is corrupted. */
final class InforomCorrupt implements GpuRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("inforom_corrupt")
        .about("The InfoROM of a GPU is corrupted.")
        .why(
            "The InfoROM stores remapped rows, retired pages and error counts: what it lost is no longer known, and later failures may not be recorded. Running work is in no greater danger; if a reset does not repair it, return the board.")
        .document("NVML, nvmlDeviceValidateInforom; DCGM, DCGM_FR_CORRUPT_INFOROM")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(4))
        .needs(DcgmMetrics.INFOROM_CONFIG_VALID)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().get(DcgmMetrics.INFOROM_CONFIG_VALID).orElse(1) == 0
        ? Optional.of(
            policy.detection(
                gpu.subject(), "the InfoROM is corrupted", DcgmMetrics.INFOROM_CONFIG_VALID))
        : Optional.empty();
  }
}
