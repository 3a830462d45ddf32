package io.lapwing.agent.process;

/** A liveness probe of one of the agent's loops. */
@FunctionalInterface
public interface Heartbeat {

  /**
   * Submits a probe and returns whether the previous one completed. Does not wait, except for a
   * lock that the loop itself takes.
   */
  boolean beat();
}
