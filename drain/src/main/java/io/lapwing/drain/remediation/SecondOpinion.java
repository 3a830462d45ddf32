package io.lapwing.drain.remediation;

import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.NotAsked;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.policy.Policy;
import java.time.Duration;
import java.time.Instant;

/**
 * The agent's verdict at the time of an action. An uncertain or old verdict permits nothing;
 * silence permits a stronger repair only if the scheduler does not reach the node either.
 */
sealed interface SecondOpinion {

  /** The node needs a repair for which it has to leave service. */
  record Failing(NodeHealth health) implements SecondOpinion {}

  /** The node may work. */
  record Healthy(NodeHealth health) implements SecondOpinion {}

  /**
   * Neither is certain.
   *
   * @param silent whether the agent does not answer, as on a node that a repair left unreachable;
   *     otherwise its answer permits nothing, such as a maintenance
   */
  record Uncertain(String why, boolean silent) implements SecondOpinion {

    Uncertain(String why) {
      this(why, false);
    }
  }

  static SecondOpinion of(Answer answer, Instant now, Policy policy) {
    Duration freshness = policy.freshness();
    if (answer instanceof Silent silent) {
      return new Uncertain("the agent does not answer: " + silent.why(), true);
    }
    if (answer instanceof NotAsked not) {
      return new Uncertain("the agent was not asked: " + not.why());
    }
    NodeHealth health = ((Answered) answer).health();
    if (health.simulated() && !policy.simulated()) {
      return new Uncertain("the GPUs of the node are simulated");
    }
    if (health.at().isBefore(now.minus(freshness))) {
      return new Uncertain("the agent's verdict is old, of " + health.at());
    }
    if (health.at().isAfter(now.plus(freshness))) {
      return new Uncertain(
          "the agent's verdict is of " + health.at() + ", in the future: compare the clocks");
    }
    if (health.verdict() == Verdict.UNKNOWN || health.verdict() == Verdict.MAINTENANCE) {
      return new Uncertain("the agent gives no verdict: " + health.what());
    }
    if (health.action().takesNode() && health.verdict() != Verdict.HEALTHY) {
      return new Failing(health);
    }
    if (health.verdict() == Verdict.FAILING) {
      // Such as a stopped Fabric Manager: the node may not work, and needs not leave service.
      return new Uncertain(
          "the agent calls the node failing, and asks for "
              + health.action().word()
              + ": "
              + health.what());
    }
    return new Healthy(health);
  }
}
