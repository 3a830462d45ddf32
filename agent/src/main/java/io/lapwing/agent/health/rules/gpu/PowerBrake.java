package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;

/** The power supply of the machine asserts the power brake, which throttles the clocks. */
final class PowerBrake implements LoadRule {

  /** Value of {@code lapwing_gpu_clock_event_active}. */
  static final String REASON = "hw_power_brake";

  private static final Metric NANOSECONDS =
      DcgmMetrics.CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("power_brake")
        .about("The machine's power supply throttles the clocks of its GPUs (power brake).")
        .why(
            "The brake belongs to the chassis, so neither a reset nor a reboot releases it; jobs continue, slower. If it lasts for an hour only another machine helps.")
        .document("NVML, nvmlClocksEventReasonHwPowerBrakeSlowdown and field 271")
        .disposition(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, Throttling.LASTING)
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(Throttling.SHARE, 0.1, 0.001, 1, "ratio")
        .meaning(
            "Share of the last 10 minutes from which the rule fires although the brake is released now; Lapwing's own choice, where DCGM warns of any at all.")
        .needs(GpuMetrics.CLOCK_EVENT_ACTIVE, NANOSECONDS)
        .trends(NANOSECONDS)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    double least = policy.threshold(Throttling.SHARE);
    List<GpuStatus> held =
        GpuRule.answering(view).stream()
            .filter(
                gpu ->
                    Throttling.now(gpu, REASON)
                        || Throttling.share(gpu, view, NANOSECONDS) >= least)
            .toList();
    return held.isEmpty() ? List.of() : List.of(detection(held, view, policy));
  }

  private static Detection detection(List<GpuStatus> held, NodeSnapshot view, RulePolicy policy) {
    double most =
        held.stream().mapToDouble(gpu -> Throttling.share(gpu, view, NANOSECONDS)).max().orElse(0);
    return policy
        .detection(
            Subject.NODE,
            "the power brake of the machine throttles the clocks of "
                + RuleText.named("GPU", held.stream().map(GpuStatus::index).toList())
                + " down"
                + (most > 0 ? ", for up to " + Throttling.text(most) : ""),
            GpuMetrics.CLOCK_EVENT_ACTIVE,
            NANOSECONDS)
        .withGrace(policy.spec(), policy.spec().why());
  }
}
