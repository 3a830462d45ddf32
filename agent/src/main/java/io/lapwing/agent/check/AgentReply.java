package io.lapwing.agent.check;

import io.lapwing.agent.health.HealthReport;
import java.time.Instant;
import java.util.Optional;

/** The result of a request to an agent. */
public sealed interface AgentReply {

  /**
   * A health report.
   *
   * @param json as received
   * @param sent the agent's time, from the Date header; empty without one
   */
  record Health(HealthReport report, String json, Optional<Instant> sent) implements AgentReply {}

  /** No agent listens at the address. */
  record Unreachable(String why) implements AgentReply {}

  /** A server listens there, but sends no health report. */
  record Unusable(String why) implements AgentReply {}
}
