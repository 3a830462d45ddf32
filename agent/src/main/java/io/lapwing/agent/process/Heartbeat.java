package io.lapwing.agent.process;

/** A loop that has to go on turning for the agent to be of use. */
@FunctionalInterface
public interface Heartbeat {

  /**
   * Asks for a sign of life, and says whether it came since the last time it was asked for. The
   * answer to this asking is known at the next; nothing is waited for but a lock that the loop
   * itself takes.
   */
  boolean beat();
}
