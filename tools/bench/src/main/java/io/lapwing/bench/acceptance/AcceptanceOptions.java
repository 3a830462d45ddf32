package io.lapwing.bench.acceptance;

import java.time.Duration;
import java.util.List;

/** Command line options: {@code [--seconds=N] [--idle-only] -- AGENT COMMAND...}. */
record AcceptanceOptions(Duration phase, boolean idleOnly, List<String> agentCommand) {

  static AcceptanceOptions parse(List<String> arguments) {
    int separator = arguments.indexOf("--");
    if (separator < 0 || separator == arguments.size() - 1) {
      throw new IllegalArgumentException("the agent's command is missing after --");
    }
    Duration phase = Duration.ofSeconds(60);
    boolean idleOnly = false;
    for (String argument : arguments.subList(0, separator)) {
      if (argument.matches("--seconds=\\d+")) {
        phase = Duration.ofSeconds(Long.parseLong(argument.substring("--seconds=".length())));
      } else if (argument.equals("--idle-only")) {
        idleOnly = true;
      } else {
        throw new IllegalArgumentException(
            "unknown flag: " + argument + " (there are --seconds=N and --idle-only)");
      }
    }
    return new AcceptanceOptions(
        phase, idleOnly, List.copyOf(arguments.subList(separator + 1, arguments.size())));
  }
}
