package io.lapwing.drain.cluster;

import io.lapwing.drain.health.Remedy;

/**
 * Resets GPUs, reboots and replaces: by Slurm, the cloud or a program of the site. One thread calls
 * it, unless {@link BackgroundRepairs} do. Every call ends within the driver's timeout; the work
 * itself goes on afterwards.
 */
public interface Repairs {

  /** Begins the repair of a drained node. */
  CommandResult begin(Repair repair);

  /**
   * What is to be done to a node.
   *
   * @param remedy one that {@linkplain Remedy#takesNode() takes the node}
   * @param node as its scheduler showed it last
   * @param reason by which the scheduler shows the node as ours
   * @param rule for which it is done; empty if a person requested it
   * @param instanceId on which the agent of the node is; the scheduler's if it does not say, empty
   *     if neither does
   */
  record Repair(Remedy remedy, NodeState node, String reason, String rule, String instanceId) {

    /** Of a node whose agent does not say on which instance it is. */
    public Repair(Remedy remedy, NodeState node, String reason, String rule) {
      this(remedy, node, reason, rule, node.instanceId());
    }
  }

  /** How far the last repair with that reason is, where a driver can know. */
  default Progress progress(Remedy remedy, NodeState node, String reason) {
    return Progress.UNKNOWN;
  }

  /** Of a repair. */
  enum Progress {
    RUNNING,
    DONE,
    /** It has ended, and did not succeed. */
    FAILED,
    UNKNOWN
  }
}
