package io.lapwing.agent.cli;

import io.lapwing.agent.cli.AgentClient.AgentReply;
import io.lapwing.agent.cli.AgentClient.Wanted;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.common.text.TimeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the health from the agent. An agent that does not respond makes the node unknown; only
 * {@link #offline} evaluates this machine without one.
 */
record Check(AgentClient client, ServerOwner owner, InstantSource clock) {

  /** The agent evaluates health every few seconds. */
  private static final Duration MAX_AGE = Duration.ofSeconds(60);

  private static final String OFFLINE = "; lapwing check --offline checks without an agent";
  private static final String ONCE =
      "checked once without an agent: conditions that take time to detect are missed";

  Check(AgentClient client) {
    this(client, ServerOwner.ofThisMachine(true), InstantSource.system());
  }

  /** Queries the agent over its Unix socket; at the address if no agent serves the socket. */
  public CheckResult run(AgentAddress socket, Optional<AgentAddress> address)
      throws InterruptedException {
    AgentReply reply = ask(socket);
    if (reply instanceof AgentReply.Health health) {
      return reported(health, socket);
    }
    return reply instanceof AgentReply.Unusable unusable
        ? unknown("the agent at " + socket + ": " + unusable.why())
        : run(address);
  }

  /** Queries the agent; the address is empty if the agent's port is unknown. */
  public CheckResult run(Optional<AgentAddress> address) throws InterruptedException {
    if (address.isEmpty()) {
      return unknown("the agent's port is unknown" + OFFLINE);
    }
    AgentAddress where = address.get();
    AgentReply reply = ask(where);
    if (reply instanceof AgentReply.Health health) {
      return reported(health, where);
    }
    if (reply instanceof AgentReply.Unusable unusable) {
      return unknown("the agent at " + where + ": " + unusable.why());
    }
    if (reply instanceof AgentReply.Forged forged) {
      return unknown("another user may answer for the agent at " + where + ": " + forged.why());
    }
    String why = ((AgentReply.Unreachable) reply).why();
    return unknown(
        "no agent is reachable at "
            + where
            + " ("
            + why
            + ")"
            + (where.thisMachine() ? OFFLINE : ""));
  }

  private AgentReply ask(AgentAddress where) throws InterruptedException {
    return AgentPages.ask(client, owner, where, Wanted.HEALTH);
  }

  private CheckResult reported(AgentReply.Health health, AgentAddress where) {
    Instant now = health.sent().orElseGet(clock::instant);
    Instant evaluated = health.report().at();
    boolean stale = Duration.between(evaluated, now).compareTo(MAX_AGE) > 0;
    return new CheckResult(
        health.report(),
        health.json(),
        "the agent at " + where,
        stale
            ? Optional.of("the agent has not evaluated health since " + TimeText.moment(evaluated))
            : Optional.empty(),
        Optional.empty(),
        now);
  }

  /** Evaluates this machine once, whether or not an agent runs on it. */
  public CheckResult offline(Supplier<HealthReport> evaluation) {
    try {
      return own(evaluation.get(), Optional.empty(), Optional.of(ONCE));
    } catch (RuntimeException e) {
      String why = "the local check failed: " + e;
      return own(notEvaluated(why), Optional.of(why), Optional.of(ONCE));
    }
  }

  private CheckResult unknown(String why) {
    return own(notEvaluated(why), Optional.of(why), Optional.empty());
  }

  private HealthReport notEvaluated(String why) {
    return HealthReport.notEvaluated(clock.instant(), why, "", false);
  }

  private CheckResult own(HealthReport report, Optional<String> doubt, Optional<String> note) {
    String json = new String(HealthJson.write(report), StandardCharsets.UTF_8);
    return new CheckResult(report, json, "this command", doubt, note, clock.instant());
  }

  /**
   * The result of a check.
   *
   * @param json the report as received from the agent
   * @param by the source of the report: {@code the agent at http://127.0.0.1:9754}
   * @param problem why the report cannot be used and the node is unknown
   * @param note additional information
   * @param now the time of the check by the agent's clock
   */
  record CheckResult(
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

  /** The exit codes of {@code lapwing check}. */
  static final class ExitCode {

    public static final int HEALTHY = 0;
    public static final int DEGRADED = 1;
    public static final int FAILING = 2;
    public static final int UNKNOWN = 3;

    /** {@code EX_USAGE}, distinct from every verdict: a mistyped flag must not look like one. */
    public static final int USAGE = 64;

    private ExitCode() {}

    public static int of(Verdict verdict) {
      return switch (verdict) {
        case HEALTHY -> HEALTHY;
        case DEGRADED -> DEGRADED;
        case FAILING -> FAILING;
        case UNKNOWN -> UNKNOWN;
      };
    }
  }
}
