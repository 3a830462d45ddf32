package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import java.util.List;
import java.util.Optional;

/** A rule on files of the host, with at most one finding for the node. */
interface HostPartRule extends HealthRule {

  Optional<Detection> evaluate(Values values, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return values(kind(), view).flatMap(values -> evaluate(values, view, policy)).stream().toList();
  }

  /** Findings are kept while the files cannot be read. */
  @Override
  default boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(kind()).filter(PartStatus::isRead).isPresent();
  }

  /** The values of a part that answers. */
  static Optional<Values> values(String kind, NodeSnapshot view) {
    return view.whole(kind).filter(PartStatus::answers).map(PartStatus::values);
  }
}
