package io.lapwing.agent.sources;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a cadence is read next. Without a scraper, all sources are read at the same multiples of
 * their periods, so that one wake-up serves all. With one, they are read shortly before each
 * expected scrape, so that a counter is as old at every scrape, which keeps {@code rate()} exact,
 * and at their periods in between; the fast cadence at {@link #STRETCH} times its period while no
 * finding is pending and no client requests live values. Thread-safe.
 */
final class Timetable {

  /** Between the readings and the scrape: enough for both the readings and the evaluation. */
  private static final long LEAD = Duration.ofMillis(500).toNanos();

  /** A value that is at most this old at a scrape is not read again for it. */
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  /**
   * Collectors that are due within a twentieth of their period, and this time, are read now rather
   * than by another wake-up. With {@link #LEAD} less than {@link #FRESH}, or one reading would make
   * the next one due.
   */
  private static final long MAX_SLACK = Duration.ofMillis(400).toNanos();

  private static final int SLACK = 20;

  /** Less than {@link Cadences#validNanos}, or values would expire before they are read again. */
  private static final int STRETCH = 3;

  /** A client of live values requests them again within this time. */
  private static final long WATCHED = Duration.ofSeconds(30).toNanos();

  private final long origin;
  private final ScrapeForecast scrapes;
  private volatile boolean steady;
  private volatile OptionalLong watched = OptionalLong.empty();

  Timetable(long origin, ScrapeForecast scrapes) {
    this.origin = origin;
    this.scrapes = scrapes;
  }

  /** How much earlier than due a reading may be. */
  static long slack(long period) {
    return Math.min(period / SLACK, MAX_SLACK);
  }

  /**
   * Sets whether no finding is about to open or close. Returns whether readings have to be planned
   * again, because they were further apart than is right now.
   */
  boolean steady(boolean now) {
    boolean before = steady;
    steady = now;
    return before && !now;
  }

  /** A client requested live values. Returns the same. */
  boolean watched(long now) {
    boolean before = stretched(now);
    watched = OptionalLong.of(now);
    return before;
  }

  private boolean stretched(long now) {
    OptionalLong last = watched;
    return steady && (last.isEmpty() || now - last.getAsLong() > WATCHED);
  }

  /** The longest time between two readings of the fast cadence. */
  long longest(long period, long now) {
    return (stretched(now) ? STRETCH * period : period + period / 2) + slack(period);
  }

  /**
   * When the next readings should be evaluated, {@code after} them: at the latest after those of
   * the coming scrape.
   */
  long evaluation(long period, long last, long after) {
    long planned = next(Cadence.FAST, period, last - after) + after;
    OptionalLong scrape = scrapes.nextAfter(last + LEAD - after + MAX_SLACK / 2);
    return scrape.isPresent() ? Math.min(planned, scrape.getAsLong() - LEAD + after) : planned;
  }

  /**
   * The next reading after the one at {@code last}, at most about one and a half periods later, or
   * {@link #STRETCH} periods.
   */
  long next(Cadence cadence, long period, long last) {
    OptionalLong scrape =
        cadence == Cadence.SLOW ? OptionalLong.empty() : scrapes.nextAfter(last + FRESH);
    if (scrape.isPresent()) {
      boolean stretched = cadence == Cadence.FAST && stretched(last);
      long longest = stretched ? STRETCH * period : period + period / 2;
      long before = scrape.getAsLong() - LEAD;
      return before - last <= longest + slack(period)
          ? before
          : last + (stretched ? longest : period);
    }
    if (scrapes.nextAfter(last).isPresent()) {
      return last + period;
    }
    long since = last + slack(period) - origin;
    return origin + (Math.floorDiv(since, period) + 1) * period;
  }
}
