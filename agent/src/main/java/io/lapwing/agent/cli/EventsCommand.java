package io.lapwing.agent.cli;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code lapwing events}: what happened, from the agent, or else from its log. */
public record EventsCommand(
    CheckCommand check, InstantSource clock, PrintStream out, PrintStream err) {

  static final String HELP =
      """
      usage: lapwing events [<flags>] [<flags of lapwing agent>]

      Prints the events of this node, newest last: from the running agent, or, if none answers and --url is not given,
      from its event log.

      Flags:
        -h, --help                    Show this help.
            --since=TIME              Only events of the last 90m, 12h or 7d, or since 2026-11-20T03:00:00Z.
            --rule=RULE               Only events of this rule, such as xid_79, or of this kind, such as gpu_reset.
            --json                    Print JSON, one event a line.
            --follow                  Go on, and print new events every two seconds. Needs a running agent.
            --url=URL                 Agent to query, such as http://node7:9754 or unix:/PATH. (default:
                                      --web.unix-socket, then --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file; see lapwing check --help.

      Exit codes: 0: printed, or no event matches; 1: no events can be had; 2: usage error.
      """;

  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** An event may be recorded a little later than another one that happened after it. */
  private static final Duration LATE = Duration.ofMinutes(1);

  private record Wanted(Instant since, Optional<String> rule, boolean json) {
    boolean matches(EventRow row) {
      return rule.map(row::isOf).orElse(true);
    }
  }

  public int run(List<String> args) {
    return CommandErrors.of(err).run("events", () -> events(args));
  }

  private int events(List<String> args) throws ConfigException, IOException, InterruptedException {
    CommandLine line =
        CommandLine.of(
            args, Set.of("--help", "-h", "--json", "--follow"), Set.of(SinceFlag.FLAG, "--rule"));
    if (line.has("--help") || line.has("-h")) {
      out.print(HELP);
      return 0;
    }
    Instant since = SinceFlag.of(line, clock.instant()).orElse(Instant.EPOCH);
    Wanted wanted = new Wanted(since, line.value("--rule"), line.has("--json"));
    AgentPages agent = check.pages(line.rest());
    return line.has("--follow") ? follow(agent, wanted) : once(agent, wanted, line.rest());
  }

  /** The log of this machine never replaces an agent that was named. */
  private int once(AgentPages agent, Wanted wanted, CommandLine.Rest flags)
      throws ConfigException, IOException, InterruptedException {
    Path state = check.stateFolder(flags);
    NodeEvents events =
        CheckCommand.hasUrl(flags)
            ? NodeEvents.ofAgent(wanted.since(), agent).answered()
            : NodeEvents.since(wanted.since(), agent, state);
    events
        .unanswered()
        .ifPresent(why -> err.println("lapwing: " + why + "; these events are from " + state));
    print(events.rows(), wanted);
    if (events.rows().stream().noneMatch(wanted::matches)) {
      String which =
          wanted
              .rule()
              .map(rule -> "no event of a rule or kind '" + rule + "'")
              .orElse("no events");
      err.println("lapwing: " + which + "; lapwing policy show lists the rules");
    }
    return 0;
  }

  /** Until it is interrupted; retries while the agent does not answer. */
  private int follow(AgentPages agent, Wanted wanted) throws IOException, InterruptedException {
    Set<EventRow> printed = Set.of();
    Instant from = wanted.since();
    boolean answered = true;
    while (true) {
      NodeEvents events = NodeEvents.ofAgent(from, agent);
      if (events.unanswered().isEmpty()) {
        Set<EventRow> before = printed;
        print(events.rows().stream().filter(row -> !before.contains(row)).toList(), wanted);
        printed = Set.copyOf(events.rows());
        from = next(from, events.rows());
      } else if (answered) {
        err.println("lapwing: " + events.unanswered().get() + "; it is asked again");
      }
      answered = events.unanswered().isEmpty();
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /** The start of the next request; events that were printed already are not printed again. */
  private static Instant next(Instant from, List<EventRow> rows) {
    return rows.stream()
        .map(row -> row.at().minus(LATE))
        .max(Instant::compareTo)
        .filter(from::isBefore)
        .orElse(from);
  }

  private void print(List<EventRow> rows, Wanted wanted) {
    StringBuilder text = new StringBuilder();
    rows.stream()
        .filter(wanted::matches)
        .forEach(row -> text.append(wanted.json() ? row.json() : row.text()).append('\n'));
    out.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
