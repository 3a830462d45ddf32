package io.lapwing.agent.cli;

import io.lapwing.agent.cli.AgentPages.Answer;
import io.lapwing.agent.config.CommandLine;
import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.DurationText;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventLog;
import io.lapwing.agent.events.Limits;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code lapwing events}: what happened, from the agent, or else from its log. */
public record EventsCommand(
    CheckCommand check, InstantSource clock, PrintStream out, PrintStream err) {

  static final String HELP =
      """
      usage: lapwing events [<flags>] [<flags of lapwing agent>]

      Prints the events of this node, newest last: from the running agent, or, if none answers, from its event log.

      Flags:
        -h, --help                    Show this help.
            --since=TIME              Only events of the last 90m, 12h or 7d, or since 2026-11-20T03:00:00Z.
            --rule=RULE               Only events of this rule, such as xid_79, or of this kind, such as gpu_reset.
            --json                    Print JSON, one event a line.
            --follow                  Go on, and print new events every two seconds. Needs a running agent.
            --url=URL                 Agent to query, such as http://node7:9754. (default: --web.unix-socket, then
                                      --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file; see lapwing check --help.

      Exit codes: 0: printed, or no event matches; 1: neither the agent nor the log has events; 2: usage error.
      """;

  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** What the API returns at most. */
  private static final int MAX_EVENTS = 10_000;

  private record Wanted(Instant since, Optional<String> rule, boolean json) {
    boolean matches(EventRow row) {
      return !row.at().isBefore(since) && rule.map(row::isOf).orElse(true);
    }
  }

  public int run(List<String> args) {
    try {
      CommandLine line =
          CommandLine.of(
              args, Set.of("--help", "-h", "--json", "--follow"), Set.of("--since", "--rule"));
      if (line.has("--help") || line.has("-h")) {
        out.print(HELP);
        return 0;
      }
      Wanted wanted = new Wanted(since(line), line.value("--rule"), line.has("--json"));
      AgentPages agent = check.pages(line.rest());
      return line.has("--follow")
          ? follow(agent, wanted)
          : once(agent, wanted, check.stateFolder(line.rest()));
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> err.println("lapwing: " + problem));
      return WRONG_USE;
    } catch (IOException unreadable) {
      err.println("lapwing: events: " + unreadable.getMessage());
      return FAILED;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private Instant since(CommandLine line) throws ConfigException {
    Optional<String> text = line.value("--since");
    if (text.isEmpty()) {
      return Instant.EPOCH;
    }
    Optional<Duration> ago = DurationText.read(text.get());
    try {
      return ago.isPresent() ? clock.instant().minus(ago.get()) : Instant.parse(text.get());
    } catch (DateTimeParseException e) {
      throw new ConfigException(
          List.of(
              "flag --since: '"
                  + text.get()
                  + "' is neither a duration such as 90m, 12h or 7d nor a time such as"
                  + " 2026-11-20T03:00:00Z"));
    }
  }

  private int once(AgentPages agent, Wanted wanted, Path state)
      throws IOException, InterruptedException {
    Answer answer = agent.get(path(wanted.since()));
    if (answer instanceof Answer.Page page) {
      print(EventRow.of(page.body()), wanted);
      return 0;
    }
    Answer.None none = (Answer.None) answer;
    List<Event> recorded = EventLog.recorded(state, Limits.DEFAULT);
    err.println("lapwing: " + none.why());
    if (recorded.isEmpty()) {
      err.println(
          "lapwing: there are no events in " + state + " either, or none that you may read");
      return FAILED;
    }
    err.println("lapwing: these events are from the log in " + state);
    List<EventRow> rows = new ArrayList<>();
    for (Event event : recorded) {
      rows.add(EventRow.of(event));
    }
    print(rows, wanted);
    return 0;
  }

  /** JSON lines of the events since then, from the agent, or else from its log. */
  public static String lines(AgentPages agent, Path state, Instant since)
      throws IOException, InterruptedException {
    List<EventRow> rows = new ArrayList<>();
    if (agent.get(path(since)) instanceof Answer.Page page) {
      rows.addAll(EventRow.of(page.body()));
    } else {
      for (Event event : EventLog.recorded(state, Limits.DEFAULT)) {
        rows.add(EventRow.of(event));
      }
    }
    StringBuilder text = new StringBuilder();
    rows.stream()
        .filter(row -> !row.at().isBefore(since))
        .forEach(row -> text.append(row.json()).append('\n'));
    return text.toString();
  }

  private static String path(Instant since) {
    return "/api/v1/events?limit=" + MAX_EVENTS + "&since=" + since;
  }

  /** Until it is interrupted; an agent that does not answer is asked again. */
  private int follow(AgentPages agent, Wanted wanted) throws IOException, InterruptedException {
    Set<EventRow> printed = new HashSet<>();
    Instant from = wanted.since();
    boolean answered = true;
    while (true) {
      Answer answer = agent.get(path(from));
      if (answer instanceof Answer.Page page) {
        List<EventRow> rows = EventRow.of(page.body());
        print(rows.stream().filter(row -> !printed.contains(row)).toList(), wanted);
        from = rows.stream().map(EventRow::at).max(Instant::compareTo).orElse(from);
        printed.clear();
        printed.addAll(rows);
        answered = true;
      } else if (answered) {
        err.println("lapwing: " + ((Answer.None) answer).why());
        answered = false;
      }
      Thread.sleep(PAUSE.toMillis());
    }
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
