package io.lapwing.drain.policy;

import io.lapwing.drain.health.Urgency;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How long the jobs of a drained node are waited for. A drain lets no new work start and ends no
 * job; a job is only ended where {@link Verb#END_JOB} permits it.
 *
 * @param most longest wait for a checkpoint; twice the interval of its checkpoints if that is less
 * @param restart how long a job takes to train again after it was ended
 * @param stalledSteps a job without a step for as many usual steps, and {@code stalledFor}, is not
 *     waited for
 * @param never rules for which waiting is pointless: the job has failed, or works on wrong data
 * @param always rules for which a job is never ended
 * @param checkpoint rules for which a job that could end by itself is ended at the cheapest time;
 *     {@link #ALL} stands for every rule
 * @param hazards by rule, how often a node with it fails by itself, per hour
 * @param restarts of one job that the controller may cause
 * @param gangWithin how long the other nodes of a job that are requested too are waited for, so
 *     that the job is ended once for all of them
 */
public record WaitPolicy(
    Duration most,
    Duration restart,
    int stalledSteps,
    Duration stalledFor,
    Set<String> never,
    Set<String> always,
    Set<String> checkpoint,
    Map<String, Double> hazards,
    int restarts,
    Duration gangWithin) {

  /** Every rule. */
  public static final String ALL = "all";

  public static final WaitPolicy DEFAULT =
      new WaitPolicy(
          Duration.ofHours(2),
          Duration.ofMinutes(10),
          10,
          Duration.ofMinutes(10),
          Set.of("gpu_lost", "xid_79", "xid_95"),
          Set.of("row_remap_pending", "xid_94", "efa_retransmits", "training_straggler"),
          Set.of(),
          Map.of(),
          2,
          Duration.ofMinutes(5));

  /**
   * @throws IllegalArgumentException if a rule both never waits and always waits
   */
  public WaitPolicy {
    never = Set.copyOf(never);
    always = Set.copyOf(always);
    checkpoint = Set.copyOf(checkpoint);
    hazards = Map.copyOf(hazards);
    for (String rule : never) {
      if (always.contains(rule)) {
        throw new IllegalArgumentException("wait.never and wait.always both have " + rule);
      }
    }
  }

  /**
   * When a job has to leave.
   *
   * @param asked by an alert, a person or the agent
   * @param rules that the node is out of service for
   */
  public Urgency urgency(Urgency asked, Set<String> rules) {
    boolean cheapest =
        rules.stream().anyMatch(rule -> checkpoint.contains(ALL) || checkpoint.contains(rule));
    return asked == Urgency.JOB_END && cheapest ? Urgency.NEXT_CHECKPOINT : asked;
  }

  /** The greatest of these rules, per hour; empty if none is known. */
  public OptionalDouble hazard(Set<String> rules) {
    return rules.stream()
        .filter(hazards::containsKey)
        .mapToDouble(rule -> hazards.getOrDefault(rule, 0.0))
        .max();
  }
}
