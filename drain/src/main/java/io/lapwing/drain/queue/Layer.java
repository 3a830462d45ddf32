package io.lapwing.drain.queue;

import java.util.Locale;

/** What a job waits for, from the lowest layer. */
public enum Layer {
  /** Capacity that is not there or is kept for others: a reservation, a capacity block, a limit. */
  RESERVATION,
  /** Nodes that exist and cannot work: starting, drained, down, being replaced. */
  PROVISIONING,
  /** Its turn, or enough free nodes: all that would fit run other jobs. */
  SCHEDULING,
  /** Itself: held, a dependency, a start time, a request that no node can meet. */
  WORKLOAD,
  /** The scheduler gives no reason, or an unknown one. */
  UNKNOWN;

  /** The word in metrics: {@code provisioning}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
