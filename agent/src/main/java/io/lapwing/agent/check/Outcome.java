package io.lapwing.agent.check;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * What a check comes to.
 *
 * @param json the report as the agent sent it
 * @param by whose word it is: {@code the agent at http://127.0.0.1:9754}
 * @param doubt why the report does not count, and the node is unknown
 * @param note what else is to be said
 * @param now when, by the clock of the agent
 */
public record Outcome(
    HealthReport report,
    String json,
    String by,
    Optional<String> doubt,
    Optional<String> note,
    Instant now) {

  public Verdict verdict() {
    return doubt.isPresent() ? Verdict.UNKNOWN : report.verdict();
  }

  public int exitCode() {
    return ExitCode.of(verdict());
  }
}
