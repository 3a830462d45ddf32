package io.lapwing.agent.actions;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.node.Platform;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The commands for one node.
 *
 * @param platform empty if it is unknown; there are no steps then
 * @param why what shows the platform, or what is missing
 * @param steps all, in their order
 */
public record NodeCommands(Optional<Platform> platform, String why, List<OneStep> steps) {

  /** {@code needed}: it is part of what the node's action requires. */
  public record OneStep(Step step, boolean needed, List<Command> commands) {

    public OneStep {
      commands = List.copyOf(commands);
    }
  }

  /** A line for a shell; {@code note}: when to run it and what it does, may be empty. */
  public record Command(String line, String note) {}

  public NodeCommands {
    steps = List.copyOf(steps);
  }

  /** For the platform of the report, unless another one is chosen. */
  public static NodeCommands of(HealthReport report, Optional<Platform> chosen) {
    Optional<Platform> platform = chosen.or(() -> report.node().platform());
    return new NodeCommands(
        platform,
        chosen.isPresent() ? "as requested" : report.node().platformSource(),
        platform.map(known -> steps(report, known)).orElse(List.of()));
  }

  /** {@code slurm, parallelcluster, ...}, for messages. */
  public static String choices() {
    return Arrays.stream(Platform.values()).map(Platform::id).collect(Collectors.joining(", "));
  }

  private static List<OneStep> steps(HealthReport report, Platform platform) {
    ActionTable table = ActionTable.load();
    Map<String, String> values = CommandValues.of(report, platform);
    List<Step> needed = Step.of(report.action());
    return Arrays.stream(Step.values())
        .map(
            step ->
                new OneStep(
                    step,
                    needed.contains(step),
                    table.of(platform, step).stream()
                        .map(
                            entry ->
                                new Command(
                                    CommandValues.fill(entry.command(), values), entry.note()))
                        .toList()))
        .toList();
  }
}
