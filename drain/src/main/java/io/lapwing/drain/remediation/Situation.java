package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Scheduler.Other;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The inputs of a decision.
 *
 * @param health queries the agent of the node; only if the answer matters
 * @param against the objections to an action on the node; only queried before one
 * @param jobs when a job may be ended
 * @param lemons earlier repairs
 * @param others queries the work that has to leave the node before a reboot
 * @param release queries whether the agent has closed its GPUs
 * @param progress queries the progress of the last repair
 * @param begun whether the last repair is known to have begun; not known after a restart
 * @param test asks for the site's own test of the last repair
 * @param testNeedsIdleNode whether that test may not begin beside a job
 */
record Situation(
    Instant now,
    ClusterIndex cluster,
    Policy policy,
    Supplier<Answer> health,
    Function<Verb, List<Objection>> against,
    JobTurns jobs,
    Lemons lemons,
    Supplier<List<Other>> others,
    Supplier<GpuRelease.State> release,
    Supplier<Progress> progress,
    boolean begun,
    Supplier<SiteTest.Result> test,
    boolean testNeedsIdleNode) {

  /**
   * The rules for which the node is out of service: by its agent, since an alert may name none of
   * them. Empty if a person requested it.
   */
  Set<String> rules(Remediation remediation) {
    if (remediation.rule().isEmpty()) {
      return Set.of();
    }
    return failing()
        .map(NodeHealth::rules)
        .filter(rules -> !rules.isEmpty())
        .orElse(Set.of(remediation.rule()));
  }

  /**
   * When its jobs have to leave: by a person, else by the alert or the agent, whichever is more
   * urgent.
   */
  Urgency urgency(Remediation remediation) {
    if (remediation.rule().isEmpty()) {
      return remediation.urgency();
    }
    Urgency agent = failing().map(NodeHealth::urgency).orElse(Urgency.JOB_END);
    Urgency asked = remediation.urgency();
    return policy.waits().urgency(agent.compareTo(asked) > 0 ? agent : asked, rules(remediation));
  }

  private Optional<NodeHealth> failing() {
    return SecondOpinion.of(health.get(), now, policy) instanceof Failing failing
        ? Optional.of(failing.health())
        : Optional.empty();
  }
}
