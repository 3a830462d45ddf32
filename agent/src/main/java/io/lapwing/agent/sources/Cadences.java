package io.lapwing.agent.sources;

import io.lapwing.collect.Cadence;
import java.time.Duration;

/** The periods of the cadences; an operator may change them at run time. Thread-safe. */
public final class Cadences {

  /** A sample is stale after this many periods. */
  private static final int PERIODS_VALID = 3;

  private volatile Periods now;

  private record Periods(
      Duration fast, Duration medium, Duration slow, Duration deadline, long changes) {

    Duration of(Cadence cadence) {
      return switch (cadence) {
        case FAST -> fast;
        case MEDIUM -> medium;
        case SLOW -> slow;
      };
    }
  }

  /** A source whose round exceeds {@code deadline} is hung. */
  public Cadences(Duration fast, Duration medium, Duration slow, Duration deadline) {
    this.now = new Periods(fast, medium, slow, deadline, 0);
  }

  /** Changes all periods atomically. */
  public synchronized void change(
      Duration fast, Duration medium, Duration slow, Duration deadline) {
    now = new Periods(fast, medium, slow, deadline, now.changes() + 1);
  }

  /** Readings have to be planned again at the same periods. */
  synchronized void touch() {
    now = new Periods(now.fast(), now.medium(), now.slow(), now.deadline(), now.changes() + 1);
  }

  /** A number that increases with every change of a period. */
  long changes() {
    return now.changes();
  }

  public Duration fast() {
    return now.fast();
  }

  public Duration slow() {
    return now.slow();
  }

  public Duration deadline() {
    return now.deadline();
  }

  public Duration period(Cadence cadence) {
    return now.of(cadence);
  }

  /**
   * Nanoseconds for which a run is valid; a round may take up to the deadline. Called for every
   * collector: Duration multiplies by BigDecimal.
   */
  public long validNanos(Cadence cadence) {
    Periods periods = now;
    return PERIODS_VALID * periods.of(cadence).toNanos() + periods.deadline().toNanos();
  }
}
