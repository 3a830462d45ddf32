package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Trends;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;

/** The share of the last minutes in which the clocks of a GPU were throttled. */
final class Throttling {

  /** A throttling without an end, for which the machine has to be replaced. */
  static final Duration LASTING = Duration.ofHours(1);

  static final String SHARE = "share";

  private static final double WINDOW_NANOS = Trends.LONGEST.toNanos();

  private Throttling() {}

  /** Whether a reason of {@code lapwing_gpu_clock_event_active} is active now. */
  static boolean now(GpuStatus gpu, String reason) {
    return gpu.values().isSet(GpuMetrics.CLOCK_EVENT_ACTIVE, reason);
  }

  /** The largest share that any of these nanosecond counters shows; 0 if none is known. */
  static double share(GpuStatus gpu, NodeSnapshot view, Metric... nanoseconds) {
    double share = 0;
    for (Metric counter : nanoseconds) {
      share = Math.max(share, Math.min(1, view.trends().recent(gpu.key(), counter) / WINDOW_NANOS));
    }
    return share;
  }

  /** {@code 35 % of the last 10 min}. */
  static String text(double share) {
    return RuleText.percent(share) + " of the last " + RuleText.duration(Trends.LONGEST);
  }
}
