package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import java.time.Clock;
import java.util.List;

/**
 * SageMaker HyperPod on Slurm: it acts on the exact reason of a node in state FAIL. Our own reason
 * stands in the comment meanwhile ({@link SlurmPlatform}). To change the node's state while a
 * replacement runs can make that fail, so nothing is done to it until it is back.
 */
public final class HyperPodSlurmRepairs implements Repairs {

  private static final String REPLACE = "Action:Replace";
  private static final String REBOOT = "Action:Reboot";

  private final SlurmNodes nodes;
  private final Clock clock;

  public HyperPodSlurmRepairs(SlurmCommands slurm, Clock clock) {
    this.nodes = new SlurmNodes(slurm);
    this.clock = clock;
  }

  @Override
  public CommandResult begin(Repair repair) {
    return switch (repair.remedy()) {
      case REBOOT_NODE -> begin(REBOOT, repair.node(), repair.reason());
      case REPLACE_NODE -> begin(REPLACE, repair.node(), repair.reason());
      default -> new NotPossible("HyperPod has no " + repair.remedy().word());
    };
  }

  private CommandResult begin(String action, NodeState node, String reason) {
    return nodes.ifHeld(
        node.name(), reason, SlurmPlatform.HYPERPOD, before -> begin(action, before, reason));
  }

  private CommandResult begin(String action, SlurmNode before, String reason) {
    if (before.reason().startsWith(action)) {
      return CommandResult.ACCEPTED;
    }
    if (before.reason().startsWith(REPLACE)) {
      return new NotYet("HyperPod replaces it at present");
    }
    return nodes.update(
        before.name(),
        after ->
            after.reason().equals(action) && SlurmPlatform.HYPERPOD.state(after).heldFor(reason),
        List.of(
            "State=FAIL",
            "Reason=" + action,
            "Comment=" + Stamp.with(before, reason, clock.instant())));
  }
}
