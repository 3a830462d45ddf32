package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.Optional;

/**
 * Clocks throttled by the hardware without a reason. Heat and power brake set the same bit but have
 * own rules; the power limit is no fault.
 */
final class HwSlowdown implements GpuRule, LoadRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("hw_slowdown")
        .about("The hardware throttles a GPU's clocks, for neither heat nor the power brake.")
        .why(
            "The GPU is slow, and so is every multi-GPU job that uses it; no data is lost. If it lasts for an hour only another machine helps.")
        .document("NVML, nvmlClocksEventReasonHwSlowdown")
        .disposition(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, Throttling.LASTING)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(2))
        .needs(GpuMetrics.CLOCK_EVENT_ACTIVE)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return Throttling.now(gpu, "hw_slowdown")
            && !Throttling.now(gpu, ThermalSlowdown.REASON)
            && !Throttling.now(gpu, PowerBrake.REASON)
        ? Optional.of(
            policy
                .detection(
                    gpu.subject(),
                    "the hardware throttles the clocks",
                    GpuMetrics.CLOCK_EVENT_ACTIVE)
                .withGrace(policy.spec(), policy.spec().why()))
        : Optional.empty();
  }
}
