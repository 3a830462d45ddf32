package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Subject;

/**
 * A rule of remapped rows, or of what they cannot repair. The driver does not report rows while a
 * GPU has MIG instances, and an older driver not all of them, so a finding from before then has no
 * data and stays open.
 */
interface RemapRule extends GpuRule {

  @Override
  default boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return GpuRule.super.canEvaluate(subject, view)
        && (!(subject instanceof Subject.Gpu gpu)
            || view.gpu(gpu.uuid()).filter(one -> one.answers() && !reports(one)).isEmpty());
  }

  private boolean reports(GpuStatus gpu) {
    return spec().needs().stream().anyMatch(gpu.values()::has);
  }
}
