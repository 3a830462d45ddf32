package io.lapwing.simulator;

import java.time.Duration;
import java.time.Instant;

/** The seconds in which something lasted: a share of the time that passes, which lines change. */
final class ShareOfTime {
  private double share;
  private double seconds;
  private Instant since;

  ShareOfTime(double seconds, Instant since) {
    this.seconds = seconds;
    this.since = since;
  }

  /** From now on it is that share of the time. */
  void change(double next, Instant now) {
    seconds = at(now);
    share = next;
    since = now;
  }

  double at(Instant now) {
    return seconds + share * Math.max(0, Duration.between(since, now).toNanos()) / 1e9;
  }
}
