package io.lapwing.agent.sources;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a cadence is read next. Without a scraper, all sources are read at the same multiples of
 * their periods, so that one wake-up serves all. With one, they are read shortly before each
 * expected scrape, so that a counter is as old at every scrape, which keeps {@code rate()} exact,
 * and at their periods in between.
 */
final class Timetable {

  /** Between the readings and the scrape: enough for both the readings and the evaluation. */
  private static final long LEAD = Duration.ofMillis(500).toNanos();

  /** A value that is at most this old at a scrape is not read again for it. */
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  /**
   * What is due within a twentieth of its period, and this time, is read now rather than by another
   * wake-up. Less than {@link #FRESH}, or one reading would make the next one due.
   */
  private static final long MAX_SLACK = Duration.ofMillis(500).toNanos();

  private static final int SLACK = 20;

  private final long origin;
  private final ScrapeForecast scrapes;

  Timetable(long origin, ScrapeForecast scrapes) {
    this.origin = origin;
    this.scrapes = scrapes;
  }

  /** How much earlier than due a reading may be. */
  static long slack(long period) {
    return Math.min(period / SLACK, MAX_SLACK);
  }

  /** The next reading after the one at {@code last}, at most about one and a half periods later. */
  long next(Cadence cadence, long period, long last) {
    OptionalLong scrape =
        cadence == Cadence.SLOW ? OptionalLong.empty() : scrapes.nextAfter(last + LEAD + FRESH);
    if (scrape.isPresent()
        && scrape.getAsLong() - LEAD - last <= period + period / 2 + slack(period)) {
      return scrape.getAsLong() - LEAD;
    }
    if (scrape.isPresent() || scrapes.nextAfter(last).isPresent()) {
      return last + period;
    }
    long since = last + slack(period) - origin;
    return origin + (Math.floorDiv(since, period) + 1) * period;
  }
}
