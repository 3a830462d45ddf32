package io.lapwing.simulator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What happens to a node, and when.
 *
 * @param name "gpu-hang"
 * @param summary one line for {@code --list}
 * @param set the lines of the state that are so from the beginning
 * @param history what an agent wrote down before
 * @param steps what changes later, in the order of their times
 */
public record Scenario(
    String name,
    String summary,
    Map<String, String> set,
    List<PastEvent> history,
    List<Step> steps) {
  public Scenario {
    set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    history = List.copyOf(history);
    steps = List.copyOf(steps);
  }

  /**
   * What happens at one moment.
   *
   * @param at after the beginning
   * @param changes in the order in which they happen
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
   * One of the scenarios that are part of the simulator.
   *
   * @throws IllegalArgumentException naming the known scenarios, when it is none of them
   */
  public static Scenario named(String name) {
    return ScenarioLibrary.named(name);
  }

  /** All of them, in the order in which people are shown them. */
  public static List<Scenario> all() {
    return ScenarioLibrary.all();
  }

  /** A scenario of one's own. */
  public static Scenario read(Path file) throws ScenarioException {
    return ScenarioReader.read(file);
  }

  /** How many GPUs a node needs for every line to mean something. */
  public int gpusNeeded() {
    IntStream first = new Change.Lines(set, List.of()).gpus();
    IntStream later = steps.stream().flatMap(s -> s.changes().stream()).flatMapToInt(Change::gpus);
    IntStream before = history.stream().flatMapToInt(PastEvent::gpus);
    return 1 + IntStream.concat(before, IntStream.concat(first, later)).max().orElse(0);
  }

  /** How many EFA devices it needs; 0 for one that is of GPUs alone. */
  public int efaDevicesNeeded() {
    return keys()
        .map(EfaSettings::device)
        .mapToInt(device -> device.isPresent() ? device.getAsInt() + 1 : 0)
        .max()
        .orElse(0);
  }

  /** Whether a training job runs, whose processes live in real time; so the node has to. */
  public boolean runsJob() {
    return keys().anyMatch(TrainingSettings::isOfTraining);
  }

  /** Of all lines that are set at any time. */
  private Stream<String> keys() {
    Stream<String> later =
        steps.stream()
            .flatMap(step -> step.changes().stream())
            .filter(Change.Lines.class::isInstance)
            .flatMap(lines -> ((Change.Lines) lines).set().keySet().stream());
    return Stream.concat(set.keySet().stream(), later);
  }
}
