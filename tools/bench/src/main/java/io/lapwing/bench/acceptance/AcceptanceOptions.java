package io.lapwing.bench.acceptance;

import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.gpu.HostEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Command line options: {@code [--seconds=N] [--idle-only] [--record=DIR [--keep-ids]]
 * [--deep.library=PATH] -- AGENT COMMAND...}.
 *
 * @param cudaLibrary what the load computes with, as of {@code lapwing check --deep}
 */
record AcceptanceOptions(
    Duration phase,
    boolean idleOnly,
    Optional<Path> record,
    boolean keepIds,
    String cudaLibrary,
    List<String> agentCommand) {

  /** Uses a host engine that runs, and starts none. */
  static final String ENGINE = "auto";

  static AcceptanceOptions parse(List<String> arguments) {
    int separator = arguments.indexOf("--");
    if (separator < 0 || separator == arguments.size() - 1) {
      throw new IllegalArgumentException("the agent's command is missing after --");
    }
    Duration phase = Duration.ofSeconds(60);
    boolean idleOnly = false;
    boolean keepIds = false;
    String cudaLibrary = "libcuda.so.1";
    Optional<Path> record = Optional.empty();
    for (String argument : arguments.subList(0, separator)) {
      if (argument.matches("--seconds=\\d+")) {
        phase = Duration.ofSeconds(Long.parseLong(value(argument)));
      } else if (argument.equals("--idle-only")) {
        idleOnly = true;
      } else if (argument.matches("--record=.+")) {
        record = Optional.of(Path.of(value(argument)));
      } else if (argument.matches("--deep\\.library=.+")) {
        cudaLibrary = value(argument);
      } else if (argument.equals("--keep-ids")) {
        keepIds = true;
      } else {
        throw new IllegalArgumentException(
            "unknown flag: "
                + argument
                + " (there are --seconds=N, --idle-only, --record=DIR, --keep-ids and"
                + " --deep.library=PATH)");
      }
    }
    return new AcceptanceOptions(
        phase,
        idleOnly,
        record,
        keepIds,
        cudaLibrary,
        withEngine(arguments.subList(separator + 1, arguments.size())));
  }

  /** The agent does not use DCGM by default. */
  private static List<String> withEngine(List<String> agentCommand) {
    List<String> command = new ArrayList<>(agentCommand);
    if (command.stream().noneMatch(word -> word.startsWith("--dcgm.engine="))) {
      command.add("--dcgm.engine=" + ENGINE);
    }
    return List.copyOf(command);
  }

  /** Where a host engine is that the agent is to use; empty without one. */
  Optional<String> engine() {
    String engine = agentFlag("dcgm.engine").orElse(ENGINE);
    if (engine.equals("off")) {
      return Optional.empty();
    }
    return engine.equals(ENGINE) || engine.equals("embedded")
        ? new HostEngines(procfs()).listening().map(DcgmAddress::toString)
        : Optional.of(engine);
  }

  Path procfs() {
    return Path.of(agentFlag("path.procfs").orElse("/proc"));
  }

  private static String value(String argument) {
    return argument.substring(argument.indexOf('=') + 1);
  }

  /** The value of a flag of the agent, {@code --NAME=VALUE}; the last one counts. */
  Optional<String> agentFlag(String name) {
    String start = "--" + name + "=";
    return agentCommand.stream()
        .filter(word -> word.startsWith(start))
        .reduce((first, last) -> last)
        .map(AcceptanceOptions::value);
  }
}
