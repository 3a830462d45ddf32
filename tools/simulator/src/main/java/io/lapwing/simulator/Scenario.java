package io.lapwing.simulator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Timed changes of a node.
 *
 * @param name "gpu-hang"
 * @param summary one line for {@code --list}
 * @param types the instance types that it is about; empty if any
 * @param set initial state lines
 * @param history the agent's event log from before
 * @param steps later changes by time
 */
public record Scenario(
    String name,
    String summary,
    List<String> types,
    Map<String, String> set,
    List<PastEvent> history,
    List<Step> steps) {

  /** A call that hangs or fails: {@code system.block.dcgmHealthCheck}. */
  private static final Pattern DCGM_FUNCTION = Pattern.compile("system\\.\\w+\\.dcgm\\w+");

  public Scenario {
    types = List.copyOf(types);
    set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    history = List.copyOf(history);
    steps = List.copyOf(steps);
  }

  /** One of any instance type. */
  public Scenario(
      String name,
      String summary,
      Map<String, String> set,
      List<PastEvent> history,
      List<Step> steps) {
    this(name, summary, List.of(), set, history, steps);
  }

  /**
   * Changes at one time.
   *
   * @param at time after the start
   * @param changes in order
   */
  public record Step(Duration at, List<Change> changes) {
    public Step {
      changes = List.copyOf(changes);
    }

    Step later(Duration by) {
      return new Step(at.plus(by), changes);
    }
  }

  /**
   * A scenario in this jar.
   *
   * @throws IllegalArgumentException naming the known scenarios, if it is unknown
   */
  public static Scenario named(String name) {
    return ScenarioLibrary.named(name);
  }

  /** All scenarios in display order. */
  public static List<Scenario> all() {
    return ScenarioLibrary.all();
  }

  /** A scenario from a file. */
  public static Scenario read(Path file) throws ScenarioException {
    return ScenarioReader.read(file);
  }

  /** Number of GPUs that all lines of the scenario need. */
  public int gpusNeeded() {
    IntStream first = new Change.Lines(set, List.of()).gpus();
    IntStream later = steps.stream().flatMap(s -> s.changes().stream()).flatMapToInt(Change::gpus);
    IntStream before = history.stream().flatMapToInt(PastEvent::gpus);
    return 1 + IntStream.concat(before, IntStream.concat(first, later)).max().orElse(0);
  }

  /** Number of EFA devices that it needs; may be 0. */
  public int efaDevicesNeeded() {
    return keys()
        .map(EfaSettings::device)
        .mapToInt(device -> device.isPresent() ? device.getAsInt() + 1 : 0)
        .max()
        .orElse(0);
  }

  /** Whether it needs DCGM's host engine, which the agent uses only with --dcgm.engine. */
  public boolean usesDcgm() {
    return keys().anyMatch(key -> key.startsWith("dcgm.") || DCGM_FUNCTION.matcher(key).matches());
  }

  /** Whether a training job runs; its processes and therefore the node need real time. */
  public boolean runsJob() {
    return keys().anyMatch(TrainingSettings::isOfTraining);
  }

  /**
   * Why the scenario cannot be played on a type of instance: the line that it cannot have, or the
   * types that the scenario is for, unless it is a recording; empty if it can. The number of GPUs
   * and devices is another question.
   */
  public Optional<String> problemOn(InstanceType type) {
    boolean recorded = type.name().equals(Recording.TYPE);
    if (!types.isEmpty() && !types.contains(type.name()) && !recorded) {
      return Optional.of("is for " + String.join(", ", types) + ", not for " + type.name());
    }
    Stream<Map<String, String>> later =
        steps.stream()
            .flatMap(step -> step.changes().stream())
            .filter(Change.Lines.class::isInstance)
            .map(lines -> ((Change.Lines) lines).set());
    return Stream.concat(Stream.of(set), later)
        .flatMap(lines -> lines.entrySet().stream())
        .flatMap(line -> MigLines.problem(line.getKey(), line.getValue(), type.gpu()).stream())
        .findFirst();
  }

  /** Keys of all lines that are set at any time. */
  private Stream<String> keys() {
    Stream<String> later =
        steps.stream()
            .flatMap(step -> step.changes().stream())
            .filter(Change.Lines.class::isInstance)
            .flatMap(lines -> ((Change.Lines) lines).set().keySet().stream());
    return Stream.concat(set.keySet().stream(), later);
  }
}
