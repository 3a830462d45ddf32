package io.lapwing.agent.web;

import io.lapwing.agent.health.HealthReport;
import java.util.function.Supplier;

/**
 * How the node is, as JSON. Always 200: the agent's answer is good news even where what it says is
 * not.
 */
record HealthPage(Supplier<HealthReport> health) implements Page {

  @Override
  public Answer answer(Query query) {
    return Answer.ok("application/json", HealthJson.write(health.get()));
  }
}
