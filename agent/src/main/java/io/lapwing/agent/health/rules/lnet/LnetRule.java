package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.lnet.LnetSource;
import java.util.List;

public interface LnetRule extends HealthRule {

  List<Detection> evaluate(PartStatus lnet, NodeSnapshot view, RulePolicy policy);

  @Override
  default String kind() {
    return LnetSource.LNET;
  }

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.whole(LnetSource.LNET)
        .filter(PartStatus::answers)
        .map(lnet -> evaluate(lnet, view, policy))
        .orElse(List.of());
  }

  /** All rules of this package, in the order of the documentation. */
  static List<HealthRule> all() {
    return List.of(
        new LnetDown(), new LnetDrops(), new LnetCredits(), new LnetMetricsUnavailable());
  }
}
