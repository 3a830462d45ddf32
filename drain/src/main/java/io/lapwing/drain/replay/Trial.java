package io.lapwing.drain.replay;

import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Policy;
import java.util.Set;

/**
 * A policy to be tried.
 *
 * @param name of its file, for people
 * @param urgency of requests that have none
 * @param repaired remedies that have a driver
 * @param endsJobs whether a driver ends jobs
 * @param drainReplaces whether each drain is a replacement, as on ParallelCluster
 */
public record Trial(
    String name,
    Policy policy,
    Urgency urgency,
    Set<Remedy> repaired,
    boolean endsJobs,
    boolean drainReplaces) {

  public Trial {
    repaired = Set.copyOf(repaired);
  }
}
