package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time that a periodic thread has run, by the monotonic clock. A step that is longer than
 * expected counts only as the expected one, so that neither a pause of the machine nor a lack of
 * processor time passes as waiting. Used by one thread.
 */
public final class RunningTime {

  private final PollClock clock;
  private final Supplier<Duration> longestStep;
  private Duration ran = Duration.ZERO;
  private long last;
  private boolean started;

  public RunningTime(PollClock clock, Supplier<Duration> longestStep) {
    this.clock = clock;
    this.longestStep = longestStep;
  }

  /** Counts the time since the last call, and returns the sum. */
  public Duration advance() {
    long now = clock.nanoTime();
    if (started) {
      Duration step = Duration.ofNanos(Math.max(0, now - last));
      Duration longest = longestStep.get();
      ran = ran.plus(step.compareTo(longest) > 0 ? longest : step);
    }
    started = true;
    last = now;
    return ran;
  }
}
