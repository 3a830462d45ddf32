package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * When a source's cadences are due, in clock nanoseconds: all at the start, fast again soon after,
 * since rates need two readings. Missed rounds are skipped. A source that is down is retried less
 * often, each time with every cadence, so that all values return together.
 */
final class Schedule {

  private static final long SECOND_READING = Duration.ofMillis(250).toNanos();

  /** A source that is down for more rounds than this is retried at the slow cadence. */
  private static final int MAX_ROUNDS_AT_OWN_CADENCE = 6;

  private final Cadences cadences;
  private final Map<Cadence, Long> due = new EnumMap<>(Cadence.class);

  /** The next due time. Cached: in a group each turn of each source asks all the others. */
  private long soonest;

  private boolean readTwice;
  private long changesSeen;
  private boolean answers = true;
  private int roundsDown;

  Schedule(Cadences cadences, Set<Cadence> used, long now) {
    this.cadences = cadences;
    this.changesSeen = cadences.changes();
    use(used, now);
  }

  /** The cadences to read now: all or none while the source is down. */
  Set<Cadence> due(long now) {
    Set<Cadence> cadencesDue = EnumSet.noneOf(Cadence.class);
    for (Map.Entry<Cadence, Long> at : due.entrySet()) {
      if (at.getValue() - now <= 0) {
        cadencesDue.add(at.getKey());
      }
    }
    if (!answers && !cadencesDue.isEmpty()) {
      cadencesDue.addAll(due.keySet());
    }
    return cadencesDue;
  }

  /** Switches to collectors of these cadences: everything is due, as at the start. */
  void use(Set<Cadence> used, long now) {
    due.clear();
    used.forEach(cadence -> due.put(cadence, now));
    findSoonest(now);
  }

  long nanosUntilNext(long now) {
    if (changesSeen != cadences.changes()) {
      changesSeen = cadences.changes();
      due.replaceAll((cadence, at) -> now + Math.min(at - now, periodNow(cadence)));
      findSoonest(now);
    }
    return soonest - now;
  }

  private void findSoonest(long now) {
    long wait = cadences.slow().toNanos();
    for (long at : due.values()) {
      wait = Math.min(wait, at - now);
    }
    soonest = now + wait;
  }

  /** Sets the next due times after a round that read some cadences. */
  void ran(Set<Cadence> ran, Access found, long now) {
    boolean ready = found instanceof Access.Ready;
    if (ready && !answers) {
      readTwice = false;
    }
    answers = ready;
    roundsDown = found instanceof Access.Down ? roundsDown + 1 : 0;
    for (Cadence cadence : ran) {
      due.put(cadence, next(due.getOrDefault(cadence, now), periodNow(cadence), now));
    }
    if (!readTwice) {
      readTwice = true;
      due.computeIfPresent(
          Cadence.FAST, (fast, at) -> now + Math.min(SECOND_READING, cadences.fast().toNanos()));
    }
    findSoonest(now);
  }

  private long periodNow(Cadence cadence) {
    return cadences
        .period(roundsDown > MAX_ROUNDS_AT_OWN_CADENCE ? Cadence.SLOW : cadence)
        .toNanos();
  }

  /** The next multiple of the period after now; a whole period if the run was early. */
  private static long next(long wasDue, long period, long now) {
    if (wasDue - now > 0) {
      return now + period;
    }
    long missed = (now - wasDue) / period;
    return wasDue + (missed + 1) * period;
  }
}
