package io.lapwing.agent.poll;

import io.lapwing.collect.Cadence;
import java.time.Duration;

/**
 * The periods of the cadences.
 *
 * @param deadline for one round of one source; longer, and the source counts as hung
 */
public record Cadences(Duration fast, Duration medium, Duration slow, Duration deadline) {

  /** A sample this many periods old says nothing about now. */
  private static final int PERIODS_VALID = 3;

  private static final Duration QUICK = Duration.ofSeconds(1);

  public Duration period(Cadence cadence) {
    return switch (cadence) {
      case QUICK -> fast.compareTo(QUICK) < 0 ? fast : QUICK;
      case FAST -> fast;
      case MEDIUM -> medium;
      case SLOW -> slow;
    };
  }

  /**
   * For how long a run of this cadence is worth showing. A round may take up to the deadline. Asked
   * for every collector of every source: a Duration multiplies by way of BigDecimal.
   */
  public Duration validity(Cadence cadence) {
    return Duration.ofNanos(PERIODS_VALID * period(cadence).toNanos() + deadline.toNanos());
  }
}
