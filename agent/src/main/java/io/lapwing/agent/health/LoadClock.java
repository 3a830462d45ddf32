package io.lapwing.agent.health;

import io.lapwing.gpu.GpuMetrics;
import java.util.Collection;
import java.util.List;

/**
 * Whether a GPU's clock differs from that of its siblings because it works more, or less, than
 * they. The power limit lowers the clock of a GPU that works; while ranks wait for it their GPUs
 * stay below their limits and keep a high clock. So a low clock at the power limit is a sign of a
 * slow GPU only if most siblings are at theirs too.
 */
public final class LoadClock {

  private static final List<String> REASONS = List.of("power_cap", "gpu_idle");

  private LoadClock() {}

  /** Whether the GPU reports a reason of its load that at most half of the siblings report. */
  public static boolean explains(GpuStatus gpu, Collection<GpuStatus> siblings) {
    return REASONS.stream()
        .anyMatch(
            reason ->
                reports(gpu, reason)
                    && 2 * siblings.stream().filter(one -> reports(one, reason)).count()
                        <= siblings.size());
  }

  private static boolean reports(GpuStatus gpu, String reason) {
    return gpu.values().isSet(GpuMetrics.CLOCK_EVENT_ACTIVE, reason);
  }
}
