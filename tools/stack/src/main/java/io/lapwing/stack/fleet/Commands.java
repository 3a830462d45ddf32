package io.lapwing.stack.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The programs for a recording.
 *
 * @param simulator command without flags
 * @param agent up to its flags
 */
record Commands(List<String> simulator, List<String> agent) {

  Commands {
    simulator = List.copyOf(simulator);
    agent = List.copyOf(agent);
  }

  /** Reads {@code -- SIMULATOR... -- AGENT...}. */
  static Commands parse(List<String> arguments) {
    int first = arguments.indexOf("--");
    int second = arguments.lastIndexOf("--");
    if (first != 0 || second <= 1 || second == arguments.size() - 1) {
      throw new IllegalArgumentException("expected -- SIMULATOR... -- AGENT...");
    }
    return new Commands(
        arguments.subList(1, second), arguments.subList(second + 1, arguments.size()));
  }

  List<String> simulate(String... flags) {
    return with(simulator, Arrays.asList(flags));
  }

  List<String> watch(List<String> flags) {
    return with(agent, flags);
  }

  private static List<String> with(List<String> command, List<String> flags) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(flags);
    return whole;
  }
}
