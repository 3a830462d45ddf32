package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.common.config.ResolvedOptions.Change;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyDiffTest {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);
  private static final Disposition REPLACE = Disposition.failing(Action.REPLACE_NODE, Urgency.NOW);

  private static Policy policy(Map<Integer, Disposition> xids, Map<String, RulePolicy> rules) {
    return new Policy("aws", xids, WATCH, rules);
  }

  private static RulePolicy hot(boolean enabled, Disposition disposition, double celsius) {
    return new RulePolicy(
        RuleSpec.named("hot").build(), enabled, disposition, Map.of("celsius", celsius));
  }

  @Test
  void samePoliciesDifferInNothing() {
    Policy policy = policy(Map.of(79, REPLACE), Map.of("hot", hot(true, WATCH, 85)));

    assertThat(EffectivePolicy.PolicyDiff.between(policy, policy)).isEmpty();
  }

  @Test
  void whatDiffersIsNamedByItsKeyInTheFile() {
    Policy before = policy(Map.of(63, WATCH, 79, REPLACE), Map.of("hot", hot(true, WATCH, 85)));
    Policy now =
        new Policy(
            "nvidia",
            Map.of(63, WATCH, 79, WATCH),
            REPLACE,
            Map.of("hot", hot(false, REPLACE, 90.5)));

    assertThat(EffectivePolicy.PolicyDiff.between(before, now))
        .containsExactly(
            new Change("policy profile", "aws", "nvidia"),
            new Change("policy xids.unknown", "degraded/watch/job_end", "failing/replace_node/now"),
            new Change("policy xids.79", "failing/replace_node/now", "degraded/watch/job_end"),
            new Change("policy rules.hot.enabled", "true", "false"),
            new Change("policy rules.hot", "degraded/watch/job_end", "failing/replace_node/now"),
            new Change("policy rules.hot.thresholds.celsius", "85.0", "90.5"));
  }

  @Test
  void anXidWithoutARowIsWhatUnknownOnesAre() {
    assertThat(
            EffectivePolicy.PolicyDiff.between(
                policy(Map.of(), Map.of()), policy(Map.of(999, REPLACE), Map.of())))
        .containsExactly(
            new Change("policy xids.999", "degraded/watch/job_end", "failing/replace_node/now"));
  }

  @Test
  void aRuleThatCameOrWentIsUnsetOnTheOtherSide() {
    Policy without = policy(Map.of(), Map.of());
    Policy with = policy(Map.of(), Map.of("hot", hot(true, WATCH, 85)));

    assertThat(EffectivePolicy.PolicyDiff.between(without, with))
        .containsExactly(new Change("policy rules.hot", "unset", "degraded/watch/job_end"));
    assertThat(EffectivePolicy.PolicyDiff.between(with, without))
        .containsExactly(new Change("policy rules.hot", "degraded/watch/job_end", "unset"));
  }
}
