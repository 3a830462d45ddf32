package io.lapwing.drain.health;

import java.time.Instant;

/**
 * What the agent of a node says when asked.
 *
 * @param verdict of the whole node
 * @param action what the worst finding requires
 * @param at when the agent evaluated it
 * @param simulated whether its GPUs are simulated
 * @param bootId of the kernel; empty if unknown
 * @param what the worst finding in words; empty if there is none
 */
public record NodeHealth(
    Verdict verdict,
    Remedy action,
    Instant at,
    boolean simulated,
    String bootId,
    String instanceId,
    String what) {

  /** Whether a node may work. */
  public enum Verdict {
    HEALTHY,
    DEGRADED,
    FAILING,
    UNKNOWN
  }
}
