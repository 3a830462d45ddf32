package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Clocks throttled by the hardware without a stated reason. Heat and the power brake set the same
 * bit and one of their own, and have their own rules. The power limit is not a fault.
 */
public final class HwSlowdown implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "hw_slowdown",
          "The hardware throttles a GPU's clocks, for neither heat nor the power brake.",
          "The GPU is slow, and so is every multi-GPU job that uses it; no data is lost. Find the cause first.",
          "NVML, nvmlClocksEventReasonHwSlowdown",
          SeverityCap.WATCH,
          SeverityCap.WATCH,
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(GpuMetrics.CLOCK_EVENT_ACTIVE);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return Throttling.now(gpu, "hw_slowdown")
            && !Throttling.now(gpu, ThermalSlowdown.REASON)
            && !Throttling.now(gpu, PowerBrake.REASON)
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                gpu.subject(),
                "the hardware throttles the clocks",
                GpuMetrics.CLOCK_EVENT_ACTIVE.name()))
        : Optional.empty();
  }
}
