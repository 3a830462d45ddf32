package io.lapwing.stack.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Command line options.
 *
 * @param sizes fleet sizes in nodes, one after the other
 * @param interval between two scrapes of a node, and between two evaluations of a rule
 * @param warm duration before each measurement
 * @param measure duration of the measurement
 * @param keep a keep-list file of {@link KeepList}; all series if empty
 * @param root the repository: rules, dashboards, recorded pages
 * @param json output file
 * @param commands for recordings
 */
record FleetOptions(
    List<Integer> sizes,
    Duration interval,
    Duration warm,
    Duration measure,
    Optional<Path> keep,
    Path root,
    Optional<Path> json,
    Commands commands) {

  private static final String QUICK = "--quick";

  private static final Set<String> FLAGS =
      Set.of("--nodes", "--interval", "--warm", "--measure", "--keep", "--root", "--json");

  FleetOptions {
    sizes = List.copyOf(sizes);
  }

  /**
   * Reads {@code [FLAGS] -- SIMULATOR... -- AGENT...}.
   *
   * @throws IllegalArgumentException with the reason
   */
  static FleetOptions parse(List<String> arguments) {
    int end = arguments.indexOf("--");
    if (end < 0) {
      throw new IllegalArgumentException("the simulator's and the agent's commands are missing");
    }
    Map<String, String> given = flags(arguments.subList(0, end));
    boolean quick = given.containsKey(QUICK);
    return new FleetOptions(
        sizes(given.getOrDefault("--nodes", quick ? "20,40" : "100,250,500,1000")),
        seconds(given.getOrDefault("--interval", quick ? "15s" : "60s")),
        seconds(given.getOrDefault("--warm", quick ? "90s" : "360s")),
        seconds(given.getOrDefault("--measure", quick ? "60s" : "180s")),
        Optional.ofNullable(given.get("--keep")).map(Path::of),
        Path.of(given.getOrDefault("--root", ".")),
        Optional.ofNullable(given.get("--json")).map(Path::of),
        Commands.parse(arguments.subList(end, arguments.size())));
  }

  /** Accepts {@code --nodes=100} and {@code --nodes 100}. */
  private static Map<String, String> flags(List<String> arguments) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String[] parts = arguments.get(i).split("=", 2);
      if (arguments.get(i).equals(QUICK)) {
        given.put(QUICK, "");
      } else if (FLAGS.contains(parts[0]) && parts.length == 2) {
        given.put(parts[0], parts[1]);
      } else if (FLAGS.contains(parts[0]) && i + 1 < arguments.size()) {
        given.put(parts[0], arguments.get(++i));
      } else {
        throw new IllegalArgumentException(
            "unknown or incomplete flag: %s (there are --quick, --nodes=N,..., --interval=60s,"
                    .formatted(arguments.get(i))
                + " --warm=360s, --measure=180s, --keep=FILE, --json=FILE)");
      }
    }
    return given;
  }

  private static List<Integer> sizes(String nodes) {
    List<Integer> sizes = Arrays.stream(nodes.split(",")).map(Integer::valueOf).toList();
    if (sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("a fleet has nodes: --nodes=" + nodes);
    }
    return sizes;
  }

  private static Duration seconds(String value) {
    return Duration.ofSeconds(Long.parseLong(value.replaceFirst("s$", "")));
  }

  /** The folder of recorded responses. */
  Path pages() {
    return root.resolve(".lapwing/fleet-pages");
  }
}
