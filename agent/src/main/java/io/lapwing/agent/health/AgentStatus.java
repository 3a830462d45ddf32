package io.lapwing.agent.health;

import java.util.Optional;

/**
 * The state of the agent's own inputs and of its event log.
 *
 * @param kernelLog why the kernel log is not read, and the remedy; empty while it is read
 * @param logFile the file that is read instead of the kernel log, and why; empty where none is
 * @param xidEvents why NVML's XID events are unavailable; empty while they are received
 * @param eventLog why events are not written to disk; empty while they are
 */
public record AgentStatus(
    Optional<String> kernelLog,
    Optional<String> logFile,
    Optional<String> xidEvents,
    Optional<String> eventLog) {

  public static final AgentStatus ALL_AVAILABLE =
      new AgentStatus(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
