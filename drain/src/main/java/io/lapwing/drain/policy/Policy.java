package io.lapwing.drain.policy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a site permits.
 *
 * @param modes of each action; one without an entry is tried in {@link Mode#DRY_RUN}
 * @param freshness greatest age of a verdict on which something is done
 * @param healthyFor how long a node has to be healthy before it is returned
 * @param jobsLeaveWithin how long a drained node's jobs may run before people are told
 * @param repairWithin from the beginning of a repair to a healthy node; then the next one is tried
 * @param simulated whether the cluster is one of simulated nodes, for trials; otherwise nothing is
 *     done to a node that is
 */
public record Policy(
    Map<Verb, Mode> modes,
    Budget budget,
    Duration freshness,
    Duration healthyFor,
    Duration jobsLeaveWithin,
    Duration repairWithin,
    boolean simulated) {

  /** Nothing is done, only written down. */
  public static final Policy DEFAULT =
      new Policy(
          Map.of(),
          Budget.DEFAULT,
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofDays(1),
          Duration.ofMinutes(30),
          false);

  public Policy {
    modes = Map.copyOf(modes);
  }

  /** Of an action. */
  public Mode mode(Verb verb) {
    return modes.getOrDefault(verb, Mode.DRY_RUN);
  }

  /** The same, with all actions in that mode. */
  public Policy all(Mode mode) {
    Map<Verb, Mode> same = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      same.put(verb, mode);
    }
    return new Policy(
        same, budget, freshness, healthyFor, jobsLeaveWithin, repairWithin, simulated);
  }
}
