package io.lapwing.agent.check;

import io.lapwing.agent.health.HealthReport;
import java.time.Instant;
import java.util.Optional;

/** What came of asking an agent. */
public sealed interface AgentReply {

  /**
   * An agent's word.
   *
   * @param json as it was sent
   * @param sent when, by the agent's own clock, where it says so
   */
  record Health(HealthReport report, String json, Optional<Instant> sent) implements AgentReply {}

  /** Nobody is there. */
  record Nobody(String why) implements AgentReply {}

  /** Somebody is there and gives no answer, or none that makes sense. */
  record Nonsense(String why) implements AgentReply {}
}
