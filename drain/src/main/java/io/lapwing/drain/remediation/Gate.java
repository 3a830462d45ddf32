package io.lapwing.drain.remediation;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.policy.Policy;
import java.util.Optional;

/** The conditions besides a healthy verdict for the return of a node. */
final class Gate {

  /** No node has more. */
  private static final int MOST_GPUS = 16;

  private Gate() {}

  /** The condition that is not met; empty if all are. */
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

  /** A scheduler counts MIG instances and time slices as GPUs. */
  private static boolean isShared(NodeState node, NodeHealth health) {
    return node.gpus() > MOST_GPUS && health.gpus().orElse(0) > 0;
  }
}
