package io.lapwing.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Command line options: {@code [--quick] [--json FILE] -- AGENT COMMAND...}. */
record BenchOptions(boolean quick, Optional<Path> json, List<String> agentCommand) {

  static BenchOptions parse(List<String> arguments) {
    int separator = arguments.indexOf("--");
    if (separator < 0 || separator == arguments.size() - 1) {
      throw new IllegalArgumentException("the agent's command is missing after --");
    }
    boolean quick = false;
    Optional<Path> json = Optional.empty();
    for (int i = 0; i < separator; i++) {
      String argument = arguments.get(i);
      if (argument.equals("--quick")) {
        quick = true;
      } else if (argument.startsWith("--json=")) {
        json = Optional.of(Path.of(argument.substring("--json=".length())));
      } else if (argument.equals("--json") && i + 1 < separator) {
        json = Optional.of(Path.of(arguments.get(++i)));
      } else {
        throw new IllegalArgumentException(
            "unknown or incomplete flag: " + argument + " (there are --quick and --json FILE)");
      }
    }
    return new BenchOptions(
        quick, json, List.copyOf(arguments.subList(separator + 1, arguments.size())));
  }

  Effort effort() {
    return quick ? Effort.QUICK : Effort.FULL;
  }
}
