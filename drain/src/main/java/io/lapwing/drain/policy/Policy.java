package io.lapwing.drain.policy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The policy of a site.
 *
 * @param modes of each action; one without an entry is tried in {@link Mode#DRY_RUN}
 * @param freshness greatest age of a verdict for an action
 * @param healthyFor how long a node has to be healthy before it is returned
 * @param jobsLeaveWithin how long a drained node's jobs may run before a person has to act
 * @param repairWithin by repair, from its beginning to a healthy node; then the next one is tried
 * @param simulated whether the cluster is one of simulated nodes, for trials; otherwise nothing is
 *     done to a node that is
 */
public record Policy(
    Map<Verb, Mode> modes,
    Budget budget,
    Duration freshness,
    Duration healthyFor,
    Duration jobsLeaveWithin,
    Map<Verb, Duration> repairWithin,
    boolean simulated,
    WaitPolicy waits,
    GuardPolicy guard,
    LadderPolicy ladder) {

  private static final Duration REPAIR_WITHIN = Duration.ofMinutes(30);

  /** Nothing is done, only written down. */
  public static final Policy DEFAULT =
      new Policy(
          Map.of(),
          Budget.DEFAULT,
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofDays(1),
          Map.of(Verb.RESET, Duration.ofMinutes(20), Verb.REPLACE, Duration.ofHours(1)),
          false,
          WaitPolicy.DEFAULT,
          GuardPolicy.DEFAULT,
          LadderPolicy.DEFAULT);

  public Policy {
    modes = Map.copyOf(modes);
    repairWithin = Map.copyOf(repairWithin);
  }

  /** Of an action. */
  public Mode mode(Verb verb) {
    return modes.getOrDefault(verb, Mode.DRY_RUN);
  }

  /** Of a repair. */
  public Duration deadline(Verb verb) {
    return repairWithin.getOrDefault(verb, REPAIR_WITHIN);
  }

  /** The same, with all actions in that mode. */
  public Policy all(Mode mode) {
    Map<Verb, Mode> same = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      same.put(verb, mode);
    }
    return with(same, budget, guard);
  }

  /** The same, with its dry runs in mode act. */
  public Policy played() {
    Map<Verb, Mode> played = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      played.put(verb, mode(verb) == Mode.DRY_RUN ? Mode.ACT : mode(verb));
    }
    return with(played, budget, guard);
  }

  /** The same, with other limits. */
  public Policy within(Budget limits) {
    return with(modes, limits, guard);
  }

  /** The same, with another guard. */
  public Policy guardedBy(GuardPolicy other) {
    return with(modes, budget, other);
  }

  private Policy with(Map<Verb, Mode> modes, Budget budget, GuardPolicy guard) {
    return new Policy(
        modes,
        budget,
        freshness,
        healthyFor,
        jobsLeaveWithin,
        repairWithin,
        simulated,
        waits,
        guard,
        ladder);
  }
}
