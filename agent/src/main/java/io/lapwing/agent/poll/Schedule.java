package io.lapwing.agent.poll;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * When the cadences of one source are due, in nanoseconds of its clock. Everything is due at the
 * start, and the fast cadence once more soon after, because what is a rate needs a second look.
 * Rounds that were missed are not made up for. A source that stays down is asked less and less
 * often.
 */
final class Schedule {

  private static final long SECOND_LOOK = Duration.ofMillis(250).toNanos();

  /** So many rounds a source that is down keeps its cadence; then it is asked at the slow one. */
  private static final int PATIENT_ROUNDS = 6;

  private final Cadences cadences;
  private final Map<Cadence, Long> due = new EnumMap<>(Cadence.class);

  /** When something is due next. Kept: in a lane each turn of each source asks all others. */
  private long soonest;

  private boolean looked;
  private long changesSeen;
  private int roundsDown;

  /**
   * Everything due.
   *
   * @param used the cadences that the source has
   */
  Schedule(Cadences cadences, Set<Cadence> used, long now) {
    this.cadences = cadences;
    this.changesSeen = cadences.changes();
    use(used, now);
  }

  Set<Cadence> due(long now) {
    Set<Cadence> cadencesDue = EnumSet.noneOf(Cadence.class);
    for (Map.Entry<Cadence, Long> at : due.entrySet()) {
      if (at.getValue() - now <= 0) {
        cadencesDue.add(at.getKey());
      }
    }
    return cadencesDue;
  }

  /** Other collectors from now on, of these cadences: everything is due, as at the start. */
  void use(Set<Cadence> used, long now) {
    due.clear();
    used.forEach(cadence -> due.put(cadence, now));
    findSoonest(now);
  }

  /** How long nothing is due. */
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

  /**
   * After a round.
   *
   * @param answered whether the source could be read, or had nothing to read
   */
  void ran(Set<Cadence> ran, boolean answered, long now) {
    roundsDown = answered ? 0 : roundsDown + 1;
    for (Cadence cadence : ran) {
      due.put(cadence, next(due.getOrDefault(cadence, now), periodNow(cadence), now));
    }
    if (!looked) {
      looked = true;
      due.computeIfPresent(
          Cadence.FAST, (fast, at) -> now + Math.min(SECOND_LOOK, cadences.fast().toNanos()));
    }
    findSoonest(now);
  }

  private long periodNow(Cadence cadence) {
    return cadences.period(roundsDown > PATIENT_ROUNDS ? Cadence.SLOW : cadence).toNanos();
  }

  /** The next multiple of the period that is still to come. */
  private static long next(long wasDue, long period, long now) {
    long missed = Math.max(0, (now - wasDue) / period);
    return wasDue + (missed + 1) * period;
  }
}
