package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import java.util.List;
import java.util.Optional;

/** A rule that evaluates each answering GPU by itself. */
interface GpuRule extends HealthRule {

  /** The fault of one answering GPU. */
  Optional<Detection> judge(GpuStatus gpu, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    return answering(view).stream().flatMap(gpu -> judge(gpu, view, policy).stream()).toList();
  }

  static List<GpuStatus> answering(NodeSnapshot view) {
    return view.gpus().stream().filter(gpu -> gpu.answers()).toList();
  }
}
