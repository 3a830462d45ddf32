package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import java.util.List;
import java.util.Optional;

/** A rule that looks at one answering GPU after the other. */
interface GpuRule extends HealthRule {

  /** What is wrong with one GPU that answers. */
  Optional<Symptom> judge(GpuNow gpu, NodeView view, RulePolicy policy);

  @Override
  default List<Symptom> judge(NodeView view, RulePolicy policy) {
    return answering(view).stream().flatMap(gpu -> judge(gpu, view, policy).stream()).toList();
  }

  static List<GpuNow> answering(NodeView view) {
    return view.gpus().stream().filter(gpu -> gpu.state() == GpuNow.State.ANSWERS).toList();
  }
}
