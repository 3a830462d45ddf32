package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.NodeMetrics;
import java.util.List;
import java.util.Optional;

/** A rule on the instance metadata service. Findings are kept while it does not answer. */
public interface Ec2Rule extends HealthRule {

  Optional<Detection> evaluate(Values metadata, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return metadata(view).flatMap(values -> evaluate(values, view, policy)).stream().toList();
  }

  @Override
  default boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return metadata(view).isPresent();
  }

  @Override
  default String kind() {
    return ImdsSource.COLLECTOR;
  }

  /** It reports the number of events whenever it answers, even 0. */
  private static Optional<Values> metadata(NodeSnapshot view) {
    return view.whole(ImdsSource.COLLECTOR)
        .filter(PartStatus::answers)
        .map(PartStatus::values)
        .filter(values -> values.get(NodeMetrics.MAINTENANCE_EVENTS).isPresent());
  }

  /** All rules of this package, in the order of the documentation. */
  static List<HealthRule> all() {
    return List.of(new MaintenanceScheduled(), new SpotInterrupted());
  }
}
