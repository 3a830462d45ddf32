package io.lapwing.agent.replay;

import io.lapwing.agent.health.engine.XidDeduplicator;
import io.lapwing.agent.sources.PollClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The log's time, which advances with each timestamped message. */
final class ReplayClock implements PollClock {

  private static final Duration MAX_GAP = Duration.ofDays(1);

  private Instant now = Instant.EPOCH;
  private Instant last = Instant.EPOCH;
  private long nanos;

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  /**
   * Nanoseconds from the last message to one with that time. A message without a time, or from
   * before the last one (another boot, a corrected clock), is not merged with those before it.
   */
  long gap(Optional<Instant> then) {
    return then.map(at -> Duration.between(last, at))
        .filter(gap -> !gap.isNegative())
        .map(gap -> gap.compareTo(MAX_GAP) < 0 ? gap : MAX_GAP)
        .orElse(XidDeduplicator.COALESCE_WINDOW)
        .toNanos();
  }

  void moveTo(Optional<Instant> then) {
    nanos += gap(then);
    last = then.orElse(last);
    now = then.filter(at -> at.isAfter(now)).orElse(now);
  }
}
