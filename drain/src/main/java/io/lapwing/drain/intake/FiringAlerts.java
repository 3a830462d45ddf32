package io.lapwing.drain.intake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which of the alerts that stop the controller fire, as their messages say. Alertmanager repeats
 * those that go on; one that is not repeated no longer counts. Others are known too, since a reload
 * may add a name that fires already. Not kept over a restart: it is known again with the next
 * repetition.
 */
public final class FiringAlerts implements Supplier<Set<String>> {

  /** More than the nodes of a cluster. The first ones are kept: one of a name is enough. */
  private static final int MOST = 10_000;

  private final Supplier<Set<String>> watched;
  private final Duration expire;
  private final InstantSource clock;
  private final Map<String, Seen> byKey = new LinkedHashMap<>();

  /**
   * @param watched names of the alerts that matter
   * @param expire after which an alert that is not repeated counts as ended
   */
  public FiringAlerts(Supplier<Set<String>> watched, Duration expire, InstantSource clock) {
    this.watched = watched;
    this.expire = expire;
    this.clock = clock;
  }

  private record Seen(String name, Instant startsAt, Instant last) {}

  /** Returns whether it is one of those that matter. */
  boolean take(String name, Alert alert, Instant now) {
    boolean matters = watched.get().contains(name);
    synchronized (byKey) {
      Seen before = byKey.get(alert.fingerprint());
      if (alert.resolved()) {
        // A message that is late must not end what began since.
        if (before != null && !before.startsAt().isAfter(alert.startsAt())) {
          byKey.remove(alert.fingerprint());
        }
      } else if (before != null || byKey.size() < (matters ? MOST : MOST / 2)) {
        byKey.put(alert.fingerprint(), new Seen(name, alert.startsAt(), now));
      }
    }
    return matters;
  }

  /** The names of those that fire. */
  @Override
  public Set<String> get() {
    Instant oldest = clock.instant().minus(expire);
    Set<String> names = new TreeSet<>();
    Set<String> matter = watched.get();
    synchronized (byKey) {
      byKey.values().removeIf(seen -> seen.last().isBefore(oldest));
      byKey.values().stream().map(Seen::name).filter(matter::contains).forEach(names::add);
    }
    return names;
  }
}
