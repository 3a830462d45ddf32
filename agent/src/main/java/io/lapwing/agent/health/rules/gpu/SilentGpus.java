package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.DriverStatus.SilentGpu;
import io.lapwing.agent.health.NodeSnapshot;
import java.util.List;
import java.util.function.Predicate;

/**
 * GPUs that the driver counts and that have not answered since the agent started. Their UUIDs are
 * not known, so that their findings are the node's.
 */
final class SilentGpus {

  private SilentGpus() {}

  static List<SilentGpu> of(NodeSnapshot view, Predicate<SilentGpu> which) {
    return view.driver() instanceof DriverStatus.Up up
        ? up.silent().stream().filter(which).toList()
        : List.of();
  }

  /** {@code GPUs 3 and 5}. */
  static String text(List<SilentGpu> gpus) {
    return RuleText.named("GPU", gpus.stream().map(SilentGpu::index).toList());
  }
}
