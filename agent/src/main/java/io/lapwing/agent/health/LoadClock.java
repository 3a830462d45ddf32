package io.lapwing.agent.health;

import io.lapwing.gpu.GpuMetrics;
import java.util.Collection;
import java.util.List;

/**
 * Whether the lower clock of a GPU is why its rank computes longer than its siblings.
 *
 * <p>It may be lower because the GPU works more, or less, than they: the power limit lowers the
 * clock of a GPU that works; while ranks wait for it their GPUs stay below their limits and keep a
 * high clock. So a low clock at the power limit is a sign of a slow GPU only if most siblings are
 * at theirs too.
 *
 * <p>And a clock that is a few percent lower, as those of equal GPUs are at any moment, does not
 * make a rank compute half as long again.
 */
public final class LoadClock {

  private static final List<String> REASONS = List.of("power_cap", "gpu_idle");

  /** The least part of the additional time that the clock must account for. */
  private static final double LEAST_PART = 0.5;

  private LoadClock() {}

  /**
   * Whether a clock is low enough for that time.
   *
   * @param clock of the GPU, and {@code usual} of its siblings
   * @param times the rank's compute time divided by that of its siblings
   */
  public static boolean accountsFor(double clock, double usual, double times) {
    return usual / clock - 1 >= LEAST_PART * (times - 1);
  }

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
