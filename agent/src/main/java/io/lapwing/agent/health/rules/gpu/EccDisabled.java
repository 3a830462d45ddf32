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

/** A GPU that supports ECC and has it off, now or after the next reboot. */
final class EccDisabled implements GpuRule {

  private static final String ASK_FIRST =
      "A reboot changes nothing until ECC is enabled with nvidia-smi --ecc-config=1.";
  private static final String STILL_ON =
      "ECC stays on until the next reboot; it was switched off by configuration.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("ecc_disabled")
        .about("ECC is off, or will be after a reboot, on a GPU that supports it.")
        .why(
            "Without ECC, memory errors corrupt results undetected; a reboot enables ECC where it is pending.")
        .document("NVML, fields 1 and 2, nvmlDeviceSetEccMode; NVIDIA XID catalogue, 168")
        .disposition(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(1))
        .needs(DcgmMetrics.ECC_CURRENT)
        .reads(DcgmMetrics.ECC_PENDING)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    boolean off = gpu.values().get(DcgmMetrics.ECC_CURRENT).orElse(1) == 0;
    boolean offLater = gpu.values().get(DcgmMetrics.ECC_PENDING).orElse(off ? 0 : 1) == 0;
    if (!off) {
      return offLater
          ? Optional.of(
              detection(gpu, policy, "ECC will be off after the next reboot")
                  .withForm(Disposition.info(), STILL_ON))
          : Optional.empty();
    }
    return Optional.of(
        offLater
            ? detection(gpu, policy, "ECC is off").withForm(Disposition.WATCH, ASK_FIRST)
            : detection(gpu, policy, "ECC is off until the next reboot"));
  }

  private static Detection detection(GpuStatus gpu, RulePolicy policy, String what) {
    return policy.detection(gpu.subject(), what, DcgmMetrics.ECC_CURRENT, DcgmMetrics.ECC_PENDING);
  }
}
