package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.RepairsByRemedy;
import io.lapwing.drain.health.Remedy;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;

/** The drivers of a platform. */
public final class SlurmRepairs {

  private SlurmRepairs() {}

  /**
   * The repairs of the platform, and those of other drivers in place of them or in addition.
   *
   * @param powerDown whether replace_node powers nodes of the cloud down, if the platform has no
   *     replacement
   * @param others of the site, by remedy; they come before the platform's own
   */
  public static Repairs of(
      SlurmPlatform platform,
      SlurmCommands slurm,
      Clock clock,
      boolean powerDown,
      Map<Remedy, Repairs> others) {
    Map<Remedy, Repairs> drivers = new EnumMap<>(Remedy.class);
    switch (platform) {
      case SLURM -> {
        drivers.put(Remedy.REBOOT_NODE, new SlurmReboot(slurm, platform));
        if (powerDown) {
          drivers.put(Remedy.REPLACE_NODE, new SlurmPower(slurm));
        }
      }
      case PARALLEL_CLUSTER -> {
        Repairs own = new ParallelClusterRepairs(slurm);
        drivers.put(Remedy.REBOOT_NODE, own);
        drivers.put(Remedy.REPLACE_NODE, own);
      }
      case HYPERPOD -> {
        Repairs own = new HyperPodSlurmRepairs(slurm, clock);
        drivers.put(Remedy.REBOOT_NODE, own);
        drivers.put(Remedy.REPLACE_NODE, own);
      }
    }
    drivers.putAll(others);
    return new RepairsByRemedy(drivers);
  }
}
