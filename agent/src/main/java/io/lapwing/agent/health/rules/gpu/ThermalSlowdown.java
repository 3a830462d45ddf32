package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A GPU that throttles because of heat, or is about to. */
final class ThermalSlowdown implements GpuRule, LoadRule {

  /** Value of {@code lapwing_gpu_clock_event_active}. */
  static final String REASON = "hw_thermal";

  /** Longer than a failure of the air conditioning that is noticed. */
  private static final Duration LASTING = Duration.ofHours(3);

  private static final Metric HARDWARE = DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS;
  private static final Metric SOFTWARE = DcgmMetrics.CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("thermal_slowdown")
        .about("Heat throttles the clocks of a GPU, or is about to.")
        .why(
            "The GPU protects itself and no data is lost; it is slow, and so is every multi-GPU job that uses it, until it cools down. If it does not within three hours, the cooling of this machine does not suffice.")
        .document("NVML, nvmlClocksEventReasonHwThermalSlowdown, fields 194, 269 and 270")
        .disposition(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, LASTING)
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(Throttling.SHARE, 0.1, 0.001, 1, "ratio")
        .meaning(
            "Share of the last 10 minutes in which heat throttled the clocks; Lapwing's own choice: DCGM warns of any at all, gpud from 0.6 events a minute.")
        .needs(
            GpuMetrics.CLOCK_EVENT_ACTIVE,
            HARDWARE,
            SOFTWARE,
            DcgmMetrics.GPU_TEMP_LIMIT,
            DcgmMetrics.GPU_TEMP)
        .reads(GpuMetrics.TEMPERATURE_LIMIT_MARGIN, DcgmMetrics.SLOWDOWN_TEMP)
        .trends(HARDWARE, SOFTWARE)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    double share = Throttling.share(gpu, view, HARDWARE, SOFTWARE);
    List<String> parts = new ArrayList<>();
    if (share >= policy.threshold(Throttling.SHARE)) {
      parts.add("heat throttled the clocks for " + Throttling.text(share));
    } else if (Throttling.now(gpu, REASON)) {
      parts.add("heat throttles the clocks");
    }
    limit(gpu.values()).ifPresent(parts::add);
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy
                .detection(
                    gpu.subject(),
                    String.join("; ", parts),
                    GpuMetrics.CLOCK_EVENT_ACTIVE,
                    HARDWARE,
                    SOFTWARE,
                    DcgmMetrics.GPU_TEMP_LIMIT)
                .withGrace(policy.spec(), policy.spec().why()));
  }

  /** By the margin where the GPU has one, else by the temperature. */
  private static Optional<String> limit(Values values) {
    OptionalDouble margin = values.get(DcgmMetrics.GPU_TEMP_LIMIT);
    OptionalDouble least = values.get(GpuMetrics.TEMPERATURE_LIMIT_MARGIN, "slowdown");
    if (margin.isPresent() && least.isPresent()) {
      return margin.getAsDouble() <= least.getAsDouble()
          ? Optional.of(
              "its temperature margin is %s C, and slowdown starts at %s C"
                  .formatted(
                      RuleText.number(margin.getAsDouble()), RuleText.number(least.getAsDouble())))
          : Optional.empty();
    }
    OptionalDouble now = values.get(DcgmMetrics.GPU_TEMP);
    OptionalDouble most = values.get(DcgmMetrics.SLOWDOWN_TEMP);
    return now.isPresent() && most.isPresent() && now.getAsDouble() >= most.getAsDouble()
        ? Optional.of(
            "it is at %s C, and slowdown starts at %s C"
                .formatted(RuleText.number(now.getAsDouble()), RuleText.number(most.getAsDouble())))
        : Optional.empty();
  }
}
