package io.lapwing.agent.top;

import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.cli.ColorChoice;
import io.lapwing.agent.cli.CommandErrors;
import io.lapwing.agent.health.Verdict;
import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** {@code lapwing top}; {@code check} finds the agent. */
public record TopCommand(
    Map<String, String> environment,
    CheckCommand check,
    InstantSource clock,
    PrintStream out,
    PrintStream err) {

  private static final int FAILED = 1;
  private static final int UNKNOWN = 3;
  private static final int USAGE = 64;
  private static final int DEFAULT_WIDTH = 120;
  private static final int MIN_WIDTH = 40;
  private static final int MAX_WIDTH = 1000;

  public int run(List<String> args) {
    return new CommandErrors(err, USAGE, UNKNOWN).run("top", () -> top(TopRequest.parse(args)));
  }

  private int top(TopRequest request) throws ConfigException, InterruptedException {
    if (request.help()) {
      out.print(TopRequest.HELP);
      return 0;
    }
    Feed feed = new Feed(check.pages(request.agentFlags()), clock);
    return request.once() ? once(feed) : live(feed, request);
  }

  private int once(Feed feed) throws InterruptedException {
    Watch watch = feed.next(Watch.start(clock.instant()));
    if (watch.problem().isPresent()) {
      err.println("lapwing: " + watch.problem().get());
      return UNKNOWN;
    }
    StringBuilder text = new StringBuilder();
    for (Line line : Screen.once(watch, clock.instant(), width())) {
      text.append(line.text().stripTrailing()).append('\n');
    }
    out.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
    return watch.frame().map(TopCommand::exitCode).orElse(UNKNOWN);
  }

  private static int exitCode(NodeFrame frame) {
    Verdict verdict =
        frame.staleEvaluation().isPresent() ? Verdict.UNKNOWN : frame.health().verdict();
    return CheckCommand.exitCode(verdict);
  }

  private int width() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[0-9]{2,4}")
        ? Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, Integer.parseInt(columns)))
        : DEFAULT_WIDTH;
  }

  private int live(Feed feed, TopRequest request) throws InterruptedException, ConfigException {
    if (!ColorChoice.isTerminal(0) || !ColorChoice.isTerminal(1)) {
      throw new ConfigException(
          List.of(
              "top: standard input and output must be a terminal; --once prints one frame as"
                  + " text"));
    }
    if (List.of("", "dumb").contains(environment.getOrDefault("TERM", ""))) {
      throw new ConfigException(
          List.of("top: TERM names no terminal with a cursor; --once prints one frame as text"));
    }
    boolean color =
        switch (request.color()) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO -> environment.getOrDefault("NO_COLOR", "").isEmpty();
        };
    try {
      return new TerminalLoop(feed, clock, color).run(View.start(request.interval()));
    } catch (IOException | IllegalStateException unusable) {
      err.println("lapwing: top: the terminal cannot be used: " + unusable.getMessage());
      return FAILED;
    }
  }
}
