package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.health.Remedy;
import java.util.List;

/**
 * Replaces a node of the cloud by powering it down: Slurm's SuspendProgram ends the instance, and a
 * new one comes when a job needs it. Not yet tested on AWS PCS, so a site has to enable it.
 */
public final class SlurmPower implements Repairs {

  private final SlurmNodes nodes;

  public SlurmPower(SlurmCommands slurm) {
    this.nodes = new SlurmNodes(slurm);
  }

  @Override
  public CommandResult begin(Repair repair) {
    if (repair.remedy() != Remedy.REPLACE_NODE) {
      return new NotPossible("to power a node down is no " + repair.remedy().word());
    }
    return nodes.ifHeld(
        repair.node().name(),
        repair.reason(),
        SlurmPlatform.SLURM,
        before -> powerDown(before, repair.reason()));
  }

  private CommandResult powerDown(SlurmNode before, String reason) {
    if (!before.state().is("CLOUD")) {
      return new NotPossible("it is not a node of the cloud: nothing would replace it");
    }
    return begun(before)
        ? CommandResult.ACCEPTED
        : nodes.update(
            before.name(), SlurmPower::begun, List.of("State=POWER_DOWN_ASAP", "Reason=" + reason));
  }

  private static boolean begun(SlurmNode node) {
    return node.state().powersDown();
  }
}
