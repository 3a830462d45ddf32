package io.lapwing.agent.health.nccl;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.nccl.RasSource;
import java.util.List;
import java.util.Optional;

/** A rule of the communicators with a rank on this node, which are judged together. */
interface NcclRule extends HealthRule {

  Call WATCH = Call.degraded(Action.WATCH, Urgency.JOB_END);

  /** What is wrong, going by what RAS told last. */
  Optional<Symptom> judge(Values told, RulePolicy policy);

  @Override
  default String kind() {
    return RasSource.KIND;
  }

  @Override
  default List<Symptom> judge(NodeView view, RulePolicy policy) {
    return view
        .whole(RasSource.KIND)
        .filter(PartNow::answers)
        .flatMap(part -> judge(part.values(), policy))
        .stream()
        .toList();
  }
}
