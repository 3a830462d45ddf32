package io.lapwing.drain.remediation;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.policy.Policy;
import java.util.Optional;

/** What a node has to show besides a healthy verdict before it is returned. */
final class Gate {

  private Gate() {}

  /** What is missing; empty if nothing is. */
  static Optional<String> closed(NodeState node, NodeHealth health, Policy policy) {
    if (!node.registered()) {
      return Optional.of("the node does not answer its scheduler");
    }
    boolean all =
        !policy.ladder().requireGpus()
            || node.gpus() == 0
            || isShared(node, health)
            || (health.gpus().isPresent() && health.gpus().getAsInt() >= node.gpus());
    return all
        ? Optional.empty()
        : Optional.of(
            "the agent sees "
                + (health.gpus().isPresent() ? health.gpus().getAsInt() : "an unknown number")
                + " of the scheduler's "
                + PlainText.count(node.gpus(), "GPU"));
  }

  /**
   * A scheduler counts MIG instances and time slices as GPUs. That most GPUs of a node are gone,
   * and its agent calls it healthy, is not to be expected: it reports those that are missing.
   */
  private static boolean isShared(NodeState node, NodeHealth health) {
    return health.gpus().isPresent()
        && health.gpus().getAsInt() > 0
        && node.gpus() >= 2 * health.gpus().getAsInt();
  }
}
