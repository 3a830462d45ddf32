package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The requests of one address, and the scrapers behind it: three requests at equal distances are a
 * scraper, unless another one explains them. In nanoseconds of a monotonic clock.
 */
final class ScrapesOfAddress {

  private static final long MIN_INTERVAL = Duration.ofSeconds(4).toNanos();
  private static final long MAX_INTERVAL = Duration.ofMinutes(5).toNanos();

  /** A request sooner than this after the last one belongs to the same scrape. */
  private static final long SAME_SCRAPE = Duration.ofSeconds(1).toNanos();

  private static final long TOLERANCE = Duration.ofMillis(250).toNanos();
  private static final int MISSED_SCRAPES = 3;

  /** Enough for a scraper that comes each minute beside one that comes each five seconds. */
  private static final int REMEMBERED = 32;

  private final List<Long> requests = new ArrayList<>(); // the newest last
  private final List<Scraper> scrapers = new ArrayList<>();

  /** Notes a request; {@code room} is how many more scrapers may be expected. */
  void scraped(long now, long room) {
    if (!requests.isEmpty() && now - requests.get(requests.size() - 1) < SAME_SCRAPE) {
      return;
    }
    scrapers.removeIf(scraper -> !scraper.expected(now));
    long interval = isOnTime(now) ? 0 : equalDistance(now);
    if (interval > 0) {
      Scraper found = new Scraper(now, interval);
      int before = scrapers.size();
      scrapers.removeIf(other -> other.missed(now) || found.repeats(other));
      if (before - scrapers.size() + room > 0) {
        scrapers.add(found);
      }
    }
    scrapers.forEach(scraper -> scraper.scraped(now));
    requests.add(now);
    if (requests.size() > REMEMBERED) {
      requests.remove(0);
    }
  }

  private boolean isOnTime(long now) {
    return scrapers.stream().anyMatch(scraper -> scraper.includes(now) && !scraper.missed(now));
  }

  /** The shortest interval at which two earlier requests and this one came, or 0. */
  private long equalDistance(long now) {
    for (int middle = requests.size() - 1; middle > 0; middle--) {
      long interval = now - requests.get(middle);
      if (interval > MAX_INTERVAL) {
        break;
      }
      for (int first = middle - 1; interval >= MIN_INTERVAL && first >= 0; first--) {
        boolean equal = Math.abs(now - requests.get(first) - 2 * interval) <= TOLERANCE;
        if (equal && !areOthers(first, middle, now)) {
          return (now - requests.get(first)) / 2;
        }
      }
    }
    return 0;
  }

  /**
   * Whether the requests between these say otherwise: a known scraper was late or missed one, or
   * there are so many that they have no interval.
   */
  private boolean areOthers(int first, int middle, long now) {
    long unknown = 0;
    for (int between = first + 1; between < requests.size(); between++) {
      if (between != middle) {
        if (isScrape(now)) {
          return true;
        }
        unknown += isScrape(requests.get(between)) ? 0 : 1;
      }
    }
    return unknown * MIN_INTERVAL > now - requests.get(middle);
  }

  private boolean isScrape(long request) {
    return scrapers.stream().anyMatch(scraper -> scraper.includes(request));
  }

  /** The time of the last request; there has been one. */
  long lastRequest() {
    return requests.get(requests.size() - 1);
  }

  /** How many scrapers are expected again. */
  long expected(long now) {
    return scrapers.stream().filter(scraper -> scraper.expected(now)).count();
  }

  /** The first expected scrape after a time; empty if none is expected. */
  OptionalLong nextAfter(long time) {
    return scrapers.stream()
        .filter(scraper -> scraper.expected(time))
        .mapToLong(scraper -> scraper.nextAfter(time))
        .min();
  }

  private static final class Scraper {

    /** The last scrape on time. */
    private long last;

    private long interval;

    Scraper(long last, long interval) {
      this.last = last;
      this.interval = interval;
    }

    /** How far a time is from the nearest expected scrape, before or after the last one. */
    private long error(long time) {
      return Math.floorMod(time - last + interval / 2, interval) - interval / 2;
    }

    boolean includes(long time) {
      return Math.abs(error(time)) <= TOLERANCE;
    }

    boolean missed(long now) {
      return now - last > interval + TOLERANCE;
    }

    boolean expected(long now) {
      return now - last < MISSED_SCRAPES * interval;
    }

    /** Whether all scrapes of another one are scrapes of this one. */
    boolean repeats(Scraper other) {
      return includes(other.last) && includes(other.last + other.interval);
    }

    void scraped(long now) {
      if (includes(now) && now - last > interval / 2) {
        long scrapes = (now - last + interval / 2) / interval;
        interval += error(now) / scrapes / 4;
        last = now;
      }
    }

    long nextAfter(long time) {
      long passed = Math.max(0, time - last) / interval;
      return last + (passed + 1) * interval;
    }
  }
}
