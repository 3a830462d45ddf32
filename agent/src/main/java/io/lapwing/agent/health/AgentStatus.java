package io.lapwing.agent.health;

import java.util.Optional;

/**
 * How well the agent itself sees and remembers.
 *
 * @param kernelLog why the kernel log is not read, and what helps; empty while it is
 * @param logFile what is read in place of the kernel log, and why; empty while nothing is
 * @param xidEvents why NVML's XID events are not heard; empty while they are
 * @param eventLog why events do not reach the disk; empty while they do
 */
public record AgentStatus(
    Optional<String> kernelLog,
    Optional<String> logFile,
    Optional<String> xidEvents,
    Optional<String> eventLog) {

  /** One that sees and remembers everything. */
  public static final AgentStatus WELL =
      new AgentStatus(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
