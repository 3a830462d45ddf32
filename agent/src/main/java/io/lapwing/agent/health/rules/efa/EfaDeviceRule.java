package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import java.util.List;
import java.util.Optional;

/** A rule that evaluates each answering EFA device by itself. */
interface EfaDeviceRule extends EfaRule {

  /** Evaluates one device that answers. */
  Optional<Detection> judge(PartStatus device, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    return EfaRule.answering(view).stream()
        .flatMap(device -> judge(device, view, policy).stream())
        .toList();
  }
}
