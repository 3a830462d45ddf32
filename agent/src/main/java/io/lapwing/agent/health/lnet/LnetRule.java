package io.lapwing.agent.health.lnet;

import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import io.lapwing.lnet.LnetSource;
import java.util.List;

/** A rule on LNet as a whole. */
interface LnetRule extends HealthRule {

  /** What is wrong with an LNet that answers. */
  List<Symptom> judge(PartNow lnet, NodeView view, RulePolicy policy);

  @Override
  default String kind() {
    return LnetSource.LNET;
  }

  @Override
  default List<Symptom> judge(NodeView view, RulePolicy policy) {
    return view.whole(LnetSource.LNET)
        .filter(PartNow::answers)
        .map(lnet -> judge(lnet, view, policy))
        .orElse(List.of());
  }
}
