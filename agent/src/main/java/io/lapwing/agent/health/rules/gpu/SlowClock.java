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
import io.lapwing.agent.health.rules.gpu.Cohort.Slow;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A busy GPU whose SM clock is lower than that of its busy siblings, for no reason it reports. */
final class SlowClock implements LoadRule {

  static final String SHARE = "share_of_median";
  static final String BUSY = "busy";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_slow_clock")
        .about(
            "A busy GPU has a lower SM clock than its busy siblings, and reports no reason for it.")
        .why(
            "All other ranks of a job wait for the slow GPU; no data is lost. If it lasts for an hour only another machine helps.")
        .document(
            "Lapwing; NVML, nvmlDeviceGetClockInfo and nvmlDeviceGetCurrentClocksEventReasons")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.WATCH)
        .startsAs(Disposition.WATCH, Throttling.LASTING)
        // A clock follows the load from second to second: all readings of this time have to be low.
        .openAfter(Duration.ofMinutes(2))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(SHARE, 0.9, 0.1, 0.99, "ratio")
        .meaning(
            "Share of the median clock of the node's other busy GPUs of the same model and power limit, below which a GPU is slow; Lapwing's own choice. If more than half of the GPUs are slow, only the alert LapwingNodeSlowerThanType, which compares nodes, finds it.")
        .threshold(BUSY, 0.5, 0.05, 1, "ratio")
        .meaning(
            "Minimum SM activity of a minute, or utilisation where that is not read, of a busy GPU; most GPUs of the node must be busy. Lapwing's own choice.")
        .needs(DcgmMetrics.SM_CLOCK)
        .reads(
            GpuMetrics.CLOCK_EVENT_ACTIVE,
            DcgmMetrics.MIG_MODE,
            DcgmMetrics.ENFORCED_POWER_LIMIT,
            DcgmMetrics.GPU_UTIL)
        .trends(GpuMetrics.SM_ACTIVE_SECONDS)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return unexplained(view, policy, DcgmMetrics.SM_CLOCK).stream()
        .map(slow -> detection(slow, policy))
        .toList();
  }

  /**
   * A GPU is compared with busy siblings. One with too few siblings, because of MIG or of other
   * power limits, is not compared, so a load of its own is enough.
   */
  @Override
  public boolean isUnderLoad(Subject subject, NodeSnapshot view, RulePolicy policy) {
    List<GpuStatus> siblings =
        Cohort.of(view).stream()
            .map(Cohort::gpus)
            .filter(gpus -> gpus.stream().anyMatch(gpu -> subject.equals(gpu.subject())))
            .findFirst()
            .orElse(List.of());
    boolean few =
        siblings.size() < Cohort.LEAST_GPUS
            && siblings.stream()
                .allMatch(gpu -> gpu.values().has(DcgmMetrics.ENFORCED_POWER_LIMIT));
    return few
        ? LoadRule.super.isUnderLoad(subject, view, policy)
        : new Cohort(siblings)
            .busy(view, WINDOW, policy.threshold(BUSY)).gpus().stream()
                .anyMatch(gpu -> subject.equals(gpu.subject()));
  }

  /** Busy GPUs whose clock is low, and which report no reason. */
  static List<Slow> unexplained(NodeSnapshot view, RulePolicy policy, Metric clock) {
    return Cohort.of(view).stream()
        .map(all -> all.busy(view, WINDOW, policy.threshold(BUSY)))
        .filter(busy -> busy.gpus().stream().allMatch(gpu -> clock(gpu, clock) > 0))
        .flatMap(
            busy ->
                busy.below(policy.threshold(SHARE), Cohort.HALF, gpu -> clock(gpu, clock)).stream())
        .filter(slow -> isUnexplained(slow.gpu()))
        .toList();
  }

  private static double clock(GpuStatus gpu, Metric clock) {
    return gpu.values().get(clock).orElse(0);
  }

  /** The reasons are known, and none is active. */
  private static boolean isUnexplained(GpuStatus gpu) {
    Map<List<String>, Double> reasons = gpu.values().all(GpuMetrics.CLOCK_EVENT_ACTIVE);
    return !reasons.isEmpty() && reasons.values().stream().allMatch(active -> active == 0);
  }

  private static Detection detection(Slow slow, RulePolicy policy) {
    return policy
        .detection(
            slow.gpu().subject(),
            text(slow, "SM clock"),
            DcgmMetrics.SM_CLOCK,
            GpuMetrics.CLOCK_EVENT_ACTIVE)
        .withGrace(policy.spec(), policy.spec().why());
  }

  /** {@code its SM clock is 1500 MHz, 76 % of the median of its busy siblings, ...}. */
  static String text(Slow slow, String clock) {
    return "its %s is %s MHz, %s of the median of its busy siblings, and it reports no reason"
        .formatted(clock, Math.round(slow.own()), RuleText.percent(slow.own() / slow.median()));
  }
}
