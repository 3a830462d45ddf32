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

/** A GPU that supports ECC and has it off, now or after the next reboot. */
public final class EccDisabled implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "ecc_disabled",
          "ECC is off, or will be after a reboot, on a GPU that supports it.",
          "Without ECC, memory errors corrupt results undetected; a reboot enables ECC where it is pending.",
          "NVML, fields 1 and 2, nvmlDeviceSetEccMode; NVIDIA XID catalogue, 168",
          Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END),
          Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END),
          Duration.ZERO,
          Duration.ofMinutes(1),
          List.of());

  private static final String ASK_FIRST =
      "A reboot changes nothing until ECC is enabled with nvidia-smi --ecc-config=1.";
  private static final String STILL_ON =
      "ECC stays on until the next reboot; it was switched off by configuration.";

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.ECC_CURRENT);
  }

  @Override
  public List<Metric> reads() {
    return List.of(DcgmMetrics.ECC_PENDING);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    boolean off = gpu.values().get(DcgmMetrics.ECC_CURRENT).orElse(1) == 0;
    boolean offLater = gpu.values().get(DcgmMetrics.ECC_PENDING).orElse(off ? 0 : 1) == 0;
    if (!off) {
      return offLater
          ? Optional.of(
              SeverityCap.form(
                  detection(gpu, policy, "ECC will be off after the next reboot"),
                  Disposition.info(),
                  STILL_ON))
          : Optional.empty();
    }
    return Optional.of(
        offLater
            ? SeverityCap.form(detection(gpu, policy, "ECC is off"), SeverityCap.WATCH, ASK_FIRST)
            : detection(gpu, policy, "ECC is off until the next reboot"));
  }

  private static Detection detection(GpuStatus gpu, RulePolicy policy, String what) {
    return Detection.now(
        SPEC,
        policy,
        gpu.subject(),
        what,
        DcgmMetrics.ECC_CURRENT.name(),
        DcgmMetrics.ECC_PENDING.name());
  }
}
