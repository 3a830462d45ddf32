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
 * The alerts that fire, by their messages, for those that stop the controller. Alertmanager repeats
 * alerts that still fire; one that is not repeated no longer counts. Has all alerts, since a reload
 * may add a name that fires already. Not kept over a restart: the next repetition restores it.
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

  private record Seen(
      String name, boolean resolved, Instant startsAt, Instant sent, Instant last) {}

  /**
   * Returns whether it is one of those that matter. Queues do not keep the order of messages: one
   * that was sent before the last one is ignored.
   *
   * @param sent when its message was sent
   */
  boolean take(String name, Alert alert, Instant sent, Instant now) {
    boolean matters = watched.get().contains(name);
    synchronized (byKey) {
      Seen before = byKey.get(alert.fingerprint());
      Instant at = sent.isAfter(now) ? now : sent;
      if (before == null ? hasRoom(matters, now) : !isOlder(alert, at, before)) {
        byKey.put(alert.fingerprint(), new Seen(name, alert.resolved(), alert.startsAt(), at, now));
      }
    }
    return matters;
  }

  /** A message that is late must not end what began since. */
  private static boolean isOlder(Alert alert, Instant sent, Seen before) {
    return !alert.startsAt().isAfter(before.startsAt())
        && (sent.isBefore(before.sent())
            || (alert.resolved() && before.startsAt().isAfter(alert.startsAt())));
  }

  private boolean hasRoom(boolean matters, Instant now) {
    int most = matters ? MOST : MOST / 2;
    if (byKey.size() >= most) {
      Instant oldest = now.minus(expire);
      byKey.values().removeIf(seen -> seen.resolved() || seen.last().isBefore(oldest));
    }
    return byKey.size() < most;
  }

  /** The names of those that fire. */
  @Override
  public Set<String> get() {
    Instant oldest = clock.instant().minus(expire);
    Set<String> names = new TreeSet<>();
    Set<String> matter = watched.get();
    synchronized (byKey) {
      byKey.values().removeIf(seen -> seen.last().isBefore(oldest));
      byKey.values().stream()
          .filter(seen -> !seen.resolved())
          .map(Seen::name)
          .filter(matter::contains)
          .forEach(names::add);
    }
    return names;
  }
}
