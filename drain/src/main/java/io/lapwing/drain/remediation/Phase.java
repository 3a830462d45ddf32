package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeState.Service;
import java.util.Locale;

/**
 * Where a remediation is. In their order; a repair that did not help goes back to {@link #DRAINED}.
 */
public enum Phase {
  /** Requested; the node is untouched. */
  REQUESTED,
  /** The drain is being commanded. */
  DRAINING,
  /** Out of service; its jobs run on. */
  WAITING_FOR_JOBS,
  /** Out of service and without jobs. */
  DRAINED,
  /** The agent is being requested to close its GPUs for a reset. */
  RELEASING,
  /** Pods without GPUs are evicted before a reboot or a replacement. */
  EVICTING,
  /** A repair has begun, or may have. */
  REPAIRING,
  /** The return is being commanded. */
  RETURNING,
  /** People have to repair it; the node stays out of service until it is healthy. */
  HANDED_OVER,

  /** Back in service. */
  RETURNED,
  /** The node does not need it, or never did. */
  NOT_NEEDED,
  /** Another party changed the node and holds it. */
  TAKEN_OVER;

  /** Whether it is over. */
  public boolean ended() {
    return compareTo(RETURNED) >= 0;
  }

  /** Whether the node is out of service because of it. */
  public boolean holdsNode() {
    return compareTo(WAITING_FOR_JOBS) >= 0 && compareTo(HANDED_OVER) <= 0;
  }

  /**
   * Whether it counts as a node that the controller holds at a time. One that waits for a person,
   * perhaps for weeks, does not: it is out of service, which the shares count.
   */
  public boolean countsAsHeld() {
    return this == DRAINING || (holdsNode() && this != HANDED_OVER);
  }

  /** Whether what comes next may depend on the verdict of the node's agent. */
  boolean asksAgent(Service service) {
    return switch (this) {
      case REQUESTED -> service == Service.IN_SERVICE;
      case WAITING_FOR_JOBS, DRAINED, RELEASING, EVICTING, REPAIRING, RETURNING, HANDED_OVER ->
          true;
      case DRAINING, RETURNED, NOT_NEEDED, TAKEN_OVER -> false;
    };
  }

  /** The word in logs and metrics: {@code waiting_for_jobs}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
