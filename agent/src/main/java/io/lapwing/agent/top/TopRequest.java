package io.lapwing.agent.top;

import io.lapwing.agent.cli.ColorChoice;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parsed flags of {@code lapwing top}; {@code agentFlags} name the agent. */
record TopRequest(
    boolean help, boolean once, Duration interval, ColorChoice color, CommandLine.Rest agentFlags) {

  static final String HELP =
      """
      usage: lapwing top [<flags>] [<flags of lapwing agent>]

      Shows this node in the terminal, live: verdict, GPUs, EFA, Lustre, training ranks and findings. It asks the
      running agent as lapwing check does, and changes nothing. Press h for the keys.

      Flags:
        -h, --help                    Show this help.
            --once                    Print one frame as plain text and exit; the exit code is the verdict.
            --interval=TIME           Time between two polls, from 1s to 1h. (default: 2s)
            --color=WHEN              Use colors: auto (unless NO_COLOR is set), always or never. (default: auto)
            --url=URL                 Agent to query, such as http://node7:9754 or unix:/PATH. (default:
                                      --web.unix-socket, then --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file; see lapwing check --help.

      Exit codes:
        0   ended by q or Ctrl-C; with --once: healthy
        1   the terminal cannot be used; with --once: degraded
        2   with --once: failing
        3   with --once: unknown, or no answer from the agent
        64  usage error, or standard input or output is not a terminal
      """;

  private static final Duration MIN = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofHours(1);

  static TopRequest parse(List<String> args) throws ConfigException {
    CommandLine line =
        CommandLine.of(
            args, Set.of("--help", "-h", "--once"), Set.of("--interval", ColorChoice.FLAG));
    return new TopRequest(
        line.has("--help") || line.has("-h"),
        line.has("--once"),
        interval(line.value("--interval")),
        ColorChoice.of(line),
        line.rest());
  }

  private static Duration interval(Optional<String> text) throws ConfigException {
    if (text.isEmpty()) {
      return View.DEFAULT_INTERVAL;
    }
    Optional<Duration> interval = DurationText.read(text.get());
    if (interval.isEmpty()
        || interval.get().compareTo(MIN) < 0
        || interval.get().compareTo(MAX) > 0) {
      throw new ConfigException(
          List.of(
              "flag --interval: '" + text.get() + "' is not a duration from 1s to 1h, such as 2s"));
    }
    return interval.get();
  }
}
