package io.lapwing.agent.health.efa;

import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import java.util.List;
import java.util.Optional;

/** A rule that looks at one answering EFA device after the other. */
interface EfaDeviceRule extends EfaRule {

  /** What is wrong with one device that answers. */
  Optional<Symptom> judge(PartNow device, NodeView view, RulePolicy policy);

  @Override
  default List<Symptom> judge(NodeView view, RulePolicy policy) {
    return EfaRule.answering(view).stream()
        .flatMap(device -> judge(device, view, policy).stream())
        .toList();
  }
}
