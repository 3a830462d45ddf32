package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Values;
import io.lapwing.nccl.RasSource;
import java.util.List;
import java.util.Optional;

/** A rule on the communicators with a rank on this node, which are evaluated together. */
public interface NcclRule extends HealthRule {

  Optional<Detection> evaluate(Values ras, NodeSnapshot view, RulePolicy policy);

  @Override
  default String kind() {
    return RasSource.KIND;
  }

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view
        .whole(RasSource.KIND)
        .filter(PartStatus::answers)
        .flatMap(part -> evaluate(part.values(), view, policy))
        .stream()
        .toList();
  }

  /**
   * All rules in the order of the documentation: late and missing ranks, errors, stalls, the wrong
   * network.
   */
  static List<HealthRule> all() {
    return List.of(
        new RankBehind(),
        new RankMissing(),
        new AsyncError(),
        new CollectivesStalled(),
        new OverTcp());
  }
}
