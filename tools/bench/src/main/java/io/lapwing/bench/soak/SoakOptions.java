package io.lapwing.bench.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Command line options: {@code --pass-seconds N [--json FILE] -- AGENT COMMAND...}.
 *
 * @param pass duration of one pass through all faults
 */
record SoakOptions(Duration pass, Optional<Path> json, List<String> agent) {

  /** The first is a warm-up; the others are compared. */
  static final int PASSES = 4;

  static SoakOptions parse(List<String> arguments) {
    int separator = arguments.indexOf("--");
    if (separator < 0 || separator == arguments.size() - 1) {
      throw new IllegalArgumentException("the agent's command is missing after --");
    }
    Duration pass = Duration.ofSeconds(450);
    Optional<Path> json = Optional.empty();
    for (int i = 0; i < separator; i += 2) {
      String value = i + 1 < separator ? arguments.get(i + 1) : "";
      switch (arguments.get(i)) {
        case "--pass-seconds" -> pass = Duration.ofSeconds(Long.parseLong(value));
        case "--json" -> json = Optional.of(Path.of(value));
        default -> throw new IllegalArgumentException("unknown flag: " + arguments.get(i));
      }
    }
    return new SoakOptions(
        pass, json, List.copyOf(arguments.subList(separator + 1, arguments.size())));
  }

  Duration whole() {
    return pass.multipliedBy(PASSES);
  }

  /** The same program and flags with another command, such as {@code check}. */
  List<String> command(String name, List<String> flags) {
    List<String> command = new ArrayList<>(agent);
    int word = command.indexOf("agent");
    if (word < 0) {
      throw new IllegalArgumentException("no command 'agent' in " + String.join(" ", agent));
    }
    command.set(word, name);
    command.addAll(word + 1, flags);
    return command;
  }
}
