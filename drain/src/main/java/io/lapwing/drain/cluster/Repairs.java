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
   * A repair of a node.
   *
   * @param remedy one that {@linkplain Remedy#takesNode() takes the node}
   * @param node as its scheduler showed it last
   * @param reason the reason that marks the node as ours in the scheduler
   * @param rule that requires it; empty if a person requested it
   * @param instanceId that the agent of the node reports, else the scheduler's; empty if neither
   *     has one
   */
  record Repair(Remedy remedy, NodeState node, String reason, String rule, String instanceId) {

    /** Of a node whose agent does not report its instance. */
    public Repair(Remedy remedy, NodeState node, String reason, String rule) {
      this(remedy, node, reason, rule, node.instanceId());
    }
  }

  /** The progress of the last repair with that reason, if the driver can tell. */
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
