package io.lapwing.drain.cluster;

import io.lapwing.drain.health.Remedy;

/**
 * Resets GPUs, reboots and replaces: by Slurm, the cloud or a program of the site. One thread calls
 * it. Every call ends within the driver's timeout; the work itself goes on afterwards.
 */
public interface Repairs {

  /**
   * Begins the repair of a drained node.
   *
   * @param remedy one that {@linkplain Remedy#takesNode() takes the node}
   * @param node as its scheduler showed it last
   * @param reason for the log of the platform
   */
  CommandResult begin(Remedy remedy, NodeState node, String reason);
}
