package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.health.Remedy;
import java.util.List;

/**
 * Reboots by {@code scontrol reboot}: Slurm sends the node into its RebootProgram, since it is
 * idle. Without {@code nextstate} and {@code ASAP} a drained node stays drained. {@code
 * nextstate=DOWN} would take the drain away, so that with {@code ReturnToService=2} the node is in
 * service as soon as its slurmd registers again; {@code ASAP} alone means {@code nextstate=RESUME}
 * before 24.05. Slurm 22.05 also takes the drain away from a node that does not register within
 * ResumeTimeout.
 */
public final class SlurmReboot implements Repairs {

  private final SlurmCommands slurm;
  private final SlurmNodes nodes;
  private final SlurmPlatform platform;

  public SlurmReboot(SlurmCommands slurm, SlurmPlatform platform) {
    this.slurm = slurm;
    this.nodes = new SlurmNodes(slurm);
    this.platform = platform;
  }

  @Override
  public CommandResult begin(Repair repair) {
    if (repair.remedy() != Remedy.REBOOT_NODE) {
      return new NotPossible("scontrol reboot is no " + repair.remedy().word());
    }
    return nodes.ifHeld(
        repair.node().name(),
        repair.reason(),
        platform,
        before -> begun(before) ? CommandResult.ACCEPTED : reboot(before.name(), repair.reason()));
  }

  private CommandResult reboot(NodeName name, String reason) {
    return nodes.change(
        name,
        after -> begun(after) && platform.state(after).heldFor(reason),
        () -> CommandNodes.command(slurm, List.of("reboot", "reason=" + reason, name.text())));
  }

  private static boolean begun(SlurmNode node) {
    return node.state().is("REBOOT_REQUESTED") || node.state().is("REBOOT_ISSUED");
  }
}
