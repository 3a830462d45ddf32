package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Learns the interval and the phase of each scraper from its requests, in nanoseconds of a
 * monotonic clock. A scraper is expected again after two intervals of the same length. Thread-safe.
 */
public final class ScrapeForecast {

  /** Any client may request the page: no more scrapers are learned than a cluster has. */
  private static final int MAX_SCRAPERS = 4;

  private static final long MIN_INTERVAL = Duration.ofSeconds(4).toNanos();
  private static final long MAX_INTERVAL = Duration.ofMinutes(5).toNanos();

  /** A request sooner than this after the last one belongs to the same scrape. */
  private static final long SAME_SCRAPE = Duration.ofSeconds(1).toNanos();

  private static final long TOLERANCE = Duration.ofMillis(250).toNanos();
  private static final int MISSED_SCRAPES = 3;

  /** So many requests in a row out of time are a new interval; fewer are a busy scraper. */
  private static final int OUT_OF_TIME = 3;

  private final Map<Object, Scraper> scrapers = new HashMap<>();

  /** Notes a request for the page; {@code from} identifies the scraper. */
  public synchronized void scraped(Object from, long now) {
    Scraper known = scrapers.get(from);
    if (known != null) {
      known.scraped(now);
      return;
    }
    if (scrapers.size() >= MAX_SCRAPERS) {
      scrapers.values().removeIf(other -> !other.expected(now));
    }
    if (scrapers.size() < MAX_SCRAPERS) {
      scrapers.put(from, new Scraper(now));
    }
  }

  /** The first expected scrape after a time; empty if none is expected. */
  synchronized OptionalLong nextAfter(long time) {
    OptionalLong first = OptionalLong.empty();
    for (Scraper scraper : scrapers.values()) {
      if (scraper.expected(time)) {
        long next = scraper.nextAfter(time);
        if (first.isEmpty() || next - first.getAsLong() < 0) {
          first = OptionalLong.of(next);
        }
      }
    }
    return first;
  }

  private static final class Scraper {

    /** When the last scrape came, or should have come where one is out of time. */
    private long last;

    /** The last request, and the time between it and the one before. */
    private long request;

    private long between;
    private long interval;
    private boolean regular;
    private int outOfTime;

    Scraper(long now) {
      last = now;
      request = now;
    }

    void scraped(long now) {
      long after = now - request;
      if (after < SAME_SCRAPE) {
        return;
      }
      boolean again = Math.abs(after - between) <= TOLERANCE && isInterval(after);
      request = now;
      between = after;
      if (again && Math.abs(after - interval) > TOLERANCE) {
        regular = true; // Twice the same other interval.
        interval = after;
        last = now;
        outOfTime = 0;
        return;
      }
      long since = now - last;
      if (since < SAME_SCRAPE) {
        return;
      }
      if (Math.abs(since - interval) <= TOLERANCE) {
        regular = true;
        interval = (3 * interval + since) / 4;
        last = now;
        outOfTime = 0;
      } else if (regular && since < MISSED_SCRAPES * interval && ++outOfTime < OUT_OF_TIME) {
        last += (since + interval / 2) / interval * interval;
      } else {
        regular = false;
        interval = since;
        last = now;
        outOfTime = 0;
      }
    }

    boolean expected(long now) {
      return regular && isInterval(interval) && now - last < MISSED_SCRAPES * interval;
    }

    private static boolean isInterval(long nanos) {
      return nanos >= MIN_INTERVAL && nanos <= MAX_INTERVAL;
    }

    long nextAfter(long time) {
      long passed = Math.max(0, time - last) / interval;
      return last + (passed + 1) * interval;
    }
  }
}
