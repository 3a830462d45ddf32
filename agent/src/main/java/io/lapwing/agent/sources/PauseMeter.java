package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Measures for how long the agent itself did not run: the machine or the process was stopped, or
 * its processor time was used up. A regular thread that is late shows it. Time in which the agent
 * did not run must not count as the time of a call that hangs. Thread-safe.
 */
final class PauseMeter {

  /** Lateness that an idle machine has too. */
  private static final long TOLERANCE = Duration.ofMillis(250).toNanos();

  private final LongSupplier nanoTime;
  private long paused;
  private long due;
  private boolean started;

  PauseMeter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Called at each tick: the next one is due after {@code period}. */
  synchronized void tick(Duration period) {
    paused = pausedNanos();
    due = nanoTime.getAsLong() + period.toNanos();
    started = true;
  }

  /** Nanoseconds of all pauses so far, a current one included; never decreases. */
  synchronized long pausedNanos() {
    long late = started ? nanoTime.getAsLong() - due : 0;
    return paused + (late > TOLERANCE ? late : 0);
  }
}
