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
 * Clocks that the hardware holds down without telling why. Heat and the power brake set the same
 * bit and one of their own; they have rules of their own. The power limit is no fault.
 */
public final class HwSlowdown implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "hw_slowdown",
          "The hardware holds the clocks of a GPU down, for neither heat nor the power brake.",
          "The GPU is slow, and every job of many GPUs with it; nothing is lost, and what causes it is to be found first.",
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
  public Optional<Detection> judge(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return HeldDown.now(gpu, "hw_slowdown")
            && !HeldDown.now(gpu, ThermalSlowdown.REASON)
            && !HeldDown.now(gpu, PowerBrake.REASON)
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                gpu.subject(),
                "the hardware holds the clocks down",
                GpuMetrics.CLOCK_EVENT_ACTIVE.name()))
        : Optional.empty();
  }
}
