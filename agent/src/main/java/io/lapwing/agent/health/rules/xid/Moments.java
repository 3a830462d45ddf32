package io.lapwing.agent.health.rules.xid;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The times of occurrences. */
final class Moments {

  private final NavigableSet<Instant> times = new TreeSet<>();

  void add(Instant at) {
    times.add(at);
  }

  /** Whether any occurrence is within this distance of the moment. */
  boolean hasNear(Instant at, Duration apart) {
    return isNear(times.floor(at), at, apart) || isNear(times.ceiling(at), at, apart);
  }

  private static boolean isNear(@Nullable Instant one, Instant at, Duration apart) {
    return one != null && Duration.between(one, at).abs().compareTo(apart) <= 0;
  }
}
