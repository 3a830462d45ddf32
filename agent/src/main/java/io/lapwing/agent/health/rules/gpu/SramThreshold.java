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
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** More uncorrectable SRAM errors in one place than the driver accepts. */
final class SramThreshold implements GpuRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("sram_threshold")
        .about("Uncorrectable SRAM errors passed the driver's limit.")
        .why(
            "SRAM has no spare rows, so a place that failed so often fails again: a reason to return the GPU once the field diagnostic confirms it. Running work is in no greater danger than before.")
        .document("NVIDIA GPU Memory Error Management, RMA criteria for SRAM")
        .disposition(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(4))
        .needs(DcgmMetrics.THRESHOLD_SRM)
        .reads(GpuMetrics.SRAM_ECC_ERRORS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.THRESHOLD_SRM)
        ? Optional.of(policy.detection(gpu.subject(), what(gpu), DcgmMetrics.THRESHOLD_SRM))
        : Optional.empty();
  }

  private static String what(GpuStatus gpu) {
    OptionalDouble parity = errors(gpu, "uncorrected_parity");
    OptionalDouble secDed = errors(gpu, "uncorrected_secded");
    String counts =
        parity.isPresent() && secDed.isPresent()
            ? " (%s by parity and %s by SEC-DED in its life)"
                .formatted(
                    RuleText.number(parity.getAsDouble()), RuleText.number(secDed.getAsDouble()))
            : "";
    return "uncorrectable SRAM errors passed the driver's limit" + counts;
  }

  private static OptionalDouble errors(GpuStatus gpu, String how) {
    return gpu.values().get(GpuMetrics.SRAM_ECC_ERRORS, how, "aggregate");
  }
}
