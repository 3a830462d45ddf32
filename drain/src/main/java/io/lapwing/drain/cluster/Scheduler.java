package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The program that places work on nodes: Slurm, Kubernetes. One thread calls it. Every call ends
 * within the driver's timeout.
 */
public interface Scheduler {

  /** All nodes and jobs now. */
  Seen view();

  /**
   * The same for each round, if {@link #view} is expensive. Decisions by an incomplete view are
   * checked by {@link #view} before they are carried out.
   */
  default Seen latest() {
    return view();
  }

  /**
   * Drains a node: no new work starts, running work continues. Does nothing if another party has
   * taken the node, or if it has that reason already.
   */
  CommandResult drain(NodeName node, String reason);

  /** Whether a drained node is replaced by its platform, so that a drain is a replacement. */
  default boolean drainReplaces() {
    return false;
  }

  /** Returns a node to service, if it is still out of service for that reason. */
  CommandResult resume(NodeName node, String reason);

  /**
   * Removes the controller's remaining marks from a node that another user has returned or taken
   * over. Does nothing where the drain itself is the only mark.
   */
  default CommandResult letGo(NodeName node, String reason) {
    return CommandResult.ACCEPTED;
  }

  /**
   * Work besides the jobs that a reboot of a node would end, and that is evicted first: pods
   * without GPUs. Unknown pods count. Empty if the scheduler has no such work.
   */
  default List<Other> others(NodeName node) {
    return List.of();
  }

  /**
   * One of them.
   *
   * @param words its name, or why nothing is known
   * @param ends end of its grace period; empty if it was not evicted
   */
  record Other(String words, Optional<Instant> ends) {}

  /**
   * Evicts those that were created before that time. A later one tolerates the drain, and would be
   * started on the node again.
   */
  default CommandResult evictOthers(NodeName node, Instant before) {
    return CommandResult.ACCEPTED;
  }

  /**
   * What keeps work from leaving a node, in words: pods that an eviction would not remove now.
   * Empty where a scheduler has nothing of that kind.
   */
  default List<String> blockers(NodeName node) {
    return List.of();
  }

  /** The answer to {@link #view}. */
  sealed interface Seen {}

  /**
   * The result of a read.
   *
   * @param complete false if jobs of the last two minutes may be missing
   */
  record View(ClusterView cluster, boolean complete) implements Seen {

    /** Everything. */
    public View(ClusterView cluster) {
      this(cluster, true);
    }
  }

  /**
   * The scheduler does not answer, or not in full. Means neither idle nor healthy.
   *
   * @param why for the log
   */
  record CannotSee(String why) implements Seen {}
}
