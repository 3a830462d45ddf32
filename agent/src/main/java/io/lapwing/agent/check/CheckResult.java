package io.lapwing.agent.check;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of a check.
 *
 * @param json the report as received from the agent
 * @param by the source of the report: {@code the agent at http://127.0.0.1:9754}
 * @param problem why the report cannot be used and the node is unknown
 * @param note additional information
 * @param now the time of the check by the agent's clock
 */
public record CheckResult(
    HealthReport report,
    String json,
    String by,
    Optional<String> problem,
    Optional<String> note,
    Instant now) {

  public Verdict verdict() {
    return problem.isPresent() ? Verdict.UNKNOWN : report.verdict();
  }

  public int exitCode() {
    return ExitCode.of(verdict());
  }
}
