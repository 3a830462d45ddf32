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

  private static final Cadence[] ALL = Cadence.values();

  private final Cadences cadences;
  private final Timetable timetable;
  private final Map<Cadence, Long> due = new EnumMap<>(Cadence.class);

  /**
   * The next due time. Cached: in a group each turn of each source reads those of all the others.
   */
  private long soonest;

  private long slack;

  private boolean readTwice;

  /** The next reading is the second one, which has to be some time after the first. */
  private boolean second;

  private long changesSeen;
  private boolean answers = true;
  private int roundsDown;

  Schedule(Cadences cadences, Timetable timetable, Set<Cadence> used, long now) {
    this.cadences = cadences;
    this.timetable = timetable;
    this.changesSeen = cadences.changes();
    use(used, now);
  }

  /**
   * The cadences to read now, those included that soon would be: all or none while the source is
   * down.
   */
  Set<Cadence> due(long now) {
    Set<Cadence> cadencesDue = EnumSet.noneOf(Cadence.class);
    for (Cadence cadence : ALL) {
      Long at = due.get(cadence);
      if (at != null && at - now <= slack(cadence)) {
        cadencesDue.add(cadence);
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

  /** Makes every cadence due. */
  void wake(long now) {
    use(Set.copyOf(due.keySet()), now);
  }

  long nanosUntilNext(long now) {
    if (changesSeen != cadences.changes()) {
      changesSeen = cadences.changes();
      due.replaceAll((cadence, at) -> now + Math.min(at - now, longestNow(cadence)));
      findSoonest(now);
    }
    return soonest - now;
  }

  /** By how much the next round may be early, to share a wake-up with other sources. */
  long nanosOfSlack() {
    return slack;
  }

  private void findSoonest(long now) {
    long wait = cadences.slow().toNanos();
    slack = 0;
    for (Cadence cadence : ALL) {
      Long at = due.get(cadence);
      if (at != null && at - now < wait) {
        wait = at - now;
        slack = slack(cadence);
      }
    }
    soonest = now + wait;
  }

  private long slack(Cadence cadence) {
    return second ? 0 : Timetable.slack(cadences.period(cadence).toNanos());
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
      due.put(cadence, timetable.next(effective(cadence), periodNow(cadence), now));
    }
    second = !readTwice;
    if (second) {
      readTwice = true;
      due.computeIfPresent(
          Cadence.FAST, (fast, at) -> now + Math.min(SECOND_READING, cadences.fast().toNanos()));
    }
    findSoonest(now);
  }

  /**
   * Counters that wait for a scrape go on to wait: only the fast cadence may have been stretched.
   */
  private long longestNow(Cadence cadence) {
    long period = periodNow(cadence);
    return cadence == Cadence.FAST ? period : period + period / 2 + Timetable.slack(period);
  }

  private long periodNow(Cadence cadence) {
    return cadences.period(effective(cadence)).toNanos();
  }

  private Cadence effective(Cadence cadence) {
    return roundsDown > MAX_ROUNDS_AT_OWN_CADENCE ? Cadence.SLOW : cadence;
  }
}
