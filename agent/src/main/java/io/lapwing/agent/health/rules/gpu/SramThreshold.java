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
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** More uncorrectable SRAM errors in one place than the driver accepts. */
public final class SramThreshold implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "sram_threshold",
          "Uncorrectable SRAM errors passed the driver's limit.",
          "SRAM has no spare rows, so a place that failed so often fails again: a reason to return the GPU once the field diagnostic confirms it. Running work is in no greater danger than before.",
          "NVIDIA GPU Memory Error Management, RMA criteria for SRAM",
          Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END),
          Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END),
          Duration.ZERO,
          Duration.ofMinutes(4),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.THRESHOLD_SRM);
  }

  @Override
  public List<Metric> reads() {
    return List.of(GpuMetrics.SRAM_ECC_ERRORS);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return gpu.values().isSet(DcgmMetrics.THRESHOLD_SRM)
        ? Optional.of(
            Detection.now(SPEC, policy, gpu.subject(), what(gpu), DcgmMetrics.THRESHOLD_SRM.name()))
        : Optional.empty();
  }

  private static String what(GpuStatus gpu) {
    OptionalDouble parity = errors(gpu, "uncorrected_parity");
    OptionalDouble secDed = errors(gpu, "uncorrected_secded");
    String counts =
        parity.isPresent() && secDed.isPresent()
            ? " ("
                + RuleText.number(parity.getAsDouble())
                + " by parity and "
                + RuleText.number(secDed.getAsDouble())
                + " by SEC-DED in its life)"
            : "";
    return "uncorrectable SRAM errors passed the driver's limit" + counts;
  }

  private static OptionalDouble errors(GpuStatus gpu, String how) {
    return gpu.values().get(GpuMetrics.SRAM_ECC_ERRORS, how, "aggregate");
  }
}
