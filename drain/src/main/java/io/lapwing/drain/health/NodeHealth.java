package io.lapwing.drain.health;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The health of a node, by its agent.
 *
 * @param verdict of the whole node
 * @param action what the worst finding requires
 * @param at when the agent evaluated it
 * @param simulated whether its GPUs are simulated
 * @param bootId of the kernel; empty if unknown
 * @param what the worst finding in words; empty if there is none
 * @param gpus that answer; empty if unknown
 * @param rules of the findings that require the node; empty if none does, or unknown
 * @param urgency of the most urgent of them
 * @param serials of the host and its GPUs, the same in all instances; empty if unknown
 */
public record NodeHealth(
    Verdict verdict,
    Remedy action,
    Instant at,
    boolean simulated,
    String bootId,
    String instanceId,
    String what,
    OptionalInt gpus,
    Set<String> rules,
    Urgency urgency,
    Set<String> serials) {

  public NodeHealth {
    rules = Set.copyOf(rules);
    serials = Set.copyOf(serials);
  }

  /** Whether a node may work. */
  public enum Verdict {
    HEALTHY,
    DEGRADED,
    FAILING,
    UNKNOWN,
    /** A person works on it: its health permits no action. */
    MAINTENANCE
  }
}
