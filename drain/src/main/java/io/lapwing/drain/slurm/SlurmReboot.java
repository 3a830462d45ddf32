package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.health.Remedy;
import java.util.List;

/**
 * Reboots by {@code scontrol reboot ASAP}: Slurm sends the node into its RebootProgram once it is
 * idle. With {@code nextstate=DOWN} it stays out of service afterwards, until it was checked; with
 * our reason, which Slurm would replace otherwise and now only adds words to.
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
        () ->
            CommandNodes.command(
                slurm,
                List.of("reboot", "ASAP", "nextstate=DOWN", "reason=" + reason, name.text())));
  }

  private static boolean begun(SlurmNode node) {
    return node.state().is("REBOOT_REQUESTED") || node.state().is("REBOOT_ISSUED");
  }
}
