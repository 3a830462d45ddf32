package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Repairs;

/**
 * AWS ParallelCluster. Its clustermgtd terminates every drained node as soon as that is idle, and
 * starts static ones again: there is nothing to add to a drain. A reboot has to be faster than its
 * next round, a minute later at most; nodes that reboot it leaves alone.
 */
public final class ParallelClusterRepairs implements Repairs {

  private final Repairs reboot;

  public ParallelClusterRepairs(SlurmCommands slurm) {
    this.reboot = new SlurmReboot(slurm, SlurmPlatform.PARALLEL_CLUSTER);
  }

  /** Without Slurm's programs it only replaces. */
  public ParallelClusterRepairs() {
    this.reboot = any -> new NotPossible("a reboot needs Slurm's programs");
  }

  @Override
  public CommandResult begin(Repair repair) {
    return switch (repair.remedy()) {
      case REPLACE_NODE ->
          repair.node().heldFor(repair.reason())
              ? CommandResult.ACCEPTED
              : new Refused("it is not drained for " + repair.reason());
      case REBOOT_NODE -> reboot.begin(repair);
      default ->
          new NotPossible(
              "ParallelCluster replaces a drained node instead of " + repair.remedy().word());
    };
  }
}
