package io.lapwing.stack.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asked for.
 *
 * @param sizes fleets to play one after the other, in nodes
 * @param interval between two scrapes of a node, and between two evaluations of a rule
 * @param warm how long each fleet plays before it is measured
 * @param measure how long it is measured
 * @param keep a file with the pattern of families to keep, as a keep-list in metric_relabel_configs
 *     has it; none keeps all
 * @param root the repository: rules, dashboards
 * @param pages where recorded pages are, or will be
 * @param json where the figures go
 * @param commands to record with
 */
record FleetOptions(
    List<Integer> sizes,
    Duration interval,
    Duration warm,
    Duration measure,
    Optional<Path> keep,
    Path root,
    Path pages,
    Optional<Path> json,
    Commands commands) {

  FleetOptions {
    sizes = List.copyOf(sizes);
  }

  static FleetOptions parse(List<String> arguments) {
    int end = arguments.indexOf("--");
    if (end < 0) {
      throw new IllegalArgumentException("the simulator's and the agent's commands are missing");
    }
    Path root = Path.of(".");
    FleetOptions options =
        new FleetOptions(
            List.of(100, 250, 500, 1000),
            Duration.ofSeconds(60),
            Duration.ofMinutes(7),
            Duration.ofMinutes(4),
            Optional.empty(),
            root,
            root.resolve(".lapwing/fleet-pages"),
            Optional.empty(),
            Commands.parse(arguments.subList(end, arguments.size())));
    for (String argument : arguments.subList(0, end)) {
      options = options.with(argument);
    }
    return options;
  }

  private FleetOptions with(String argument) {
    String value = argument.substring(argument.indexOf('=') + 1);
    return switch (argument.split("=", 2)[0]) {
      case "--quick" -> times(15, 90, 60).playing(List.of(20, 40));
      case "--nodes" -> playing(Arrays.stream(value.split(",")).map(Integer::valueOf).toList());
      case "--interval" -> times(seconds(value), warm.toSeconds(), measure.toSeconds());
      case "--warm" -> times(interval.toSeconds(), seconds(value), measure.toSeconds());
      case "--measure" -> times(interval.toSeconds(), warm.toSeconds(), seconds(value));
      case "--keep" -> keeping(Path.of(value));
      case "--root" -> in(Path.of(value));
      case "--json" -> writing(Path.of(value));
      default ->
          throw new IllegalArgumentException(
              "unknown flag: "
                  + argument
                  + " (there are --quick, --nodes=N,..., --interval=60s, --warm=420s,"
                  + " --measure=240s, --keep=FILE, --json=FILE)");
    };
  }

  private static long seconds(String value) {
    return Long.parseLong(value.replaceFirst("s$", ""));
  }

  private FleetOptions times(long interval, long warm, long measure) {
    return new FleetOptions(
        sizes,
        Duration.ofSeconds(interval),
        Duration.ofSeconds(warm),
        Duration.ofSeconds(measure),
        keep,
        root,
        pages,
        json,
        commands);
  }

  private FleetOptions playing(List<Integer> nodes) {
    return new FleetOptions(nodes, interval, warm, measure, keep, root, pages, json, commands);
  }

  private FleetOptions keeping(Path file) {
    return new FleetOptions(
        sizes, interval, warm, measure, Optional.of(file), root, pages, json, commands);
  }

  private FleetOptions in(Path repository) {
    return new FleetOptions(
        sizes,
        interval,
        warm,
        measure,
        keep,
        repository,
        repository.resolve(".lapwing/fleet-pages"),
        json,
        commands);
  }

  private FleetOptions writing(Path file) {
    return new FleetOptions(
        sizes, interval, warm, measure, keep, root, pages, Optional.of(file), commands);
  }
}
