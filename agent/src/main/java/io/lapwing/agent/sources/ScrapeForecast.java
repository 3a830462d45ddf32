package io.lapwing.agent.sources;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Learns the interval and the phase of each scraper from its requests, in nanoseconds of a
 * monotonic clock. A scraper is expected again after two intervals of the same length. Several may
 * have one address, such as two behind a proxy. Thread-safe.
 */
public final class ScrapeForecast {

  /** Any client may request the page: no more scrapers are learned than a cluster has. */
  private static final int MAX_SCRAPERS = 4;

  /** More than scrapers, or a few addresses in turn would make each other forgotten. */
  private static final int MAX_ADDRESSES = 16;

  private final Map<Object, ScrapesOfAddress> addresses = new HashMap<>();

  /** Notes a request for the page; {@code from} is the address that it came from. */
  public synchronized void scraped(Object from, long now) {
    if (!addresses.containsKey(from) && addresses.size() >= MAX_ADDRESSES) {
      addresses.entrySet().stream()
          .filter(other -> other.getValue().expected(now) == 0)
          .max(Comparator.comparingLong(other -> now - other.getValue().lastRequest()))
          .map(Map.Entry::getKey)
          .ifPresent(addresses::remove);
    }
    long expected = 0;
    for (ScrapesOfAddress address : addresses.values()) {
      expected += address.expected(now);
    }
    addresses
        .computeIfAbsent(from, unseen -> new ScrapesOfAddress())
        .scraped(now, MAX_SCRAPERS - expected);
  }

  /** The first expected scrape after a time; empty if none is expected. */
  synchronized OptionalLong nextAfter(long time) {
    OptionalLong first = OptionalLong.empty();
    for (ScrapesOfAddress address : addresses.values()) {
      OptionalLong next = address.nextAfter(time);
      if (next.isPresent() && (first.isEmpty() || next.getAsLong() - first.getAsLong() < 0)) {
        first = next;
      }
    }
    return first;
  }
}
