package io.lapwing.simulator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What happens to a node, and when.
 *
 * @param name "gpu-hang"
 * @param summary one line for {@code --list}
 * @param set the lines of the state that are so from the beginning
 * @param steps what changes later, in the order of their times
 */
public record Scenario(String name, String summary, Map<String, String> set, List<Step> steps) {
  private static final Pattern GPU = Pattern.compile("gpu\\.(\\d+)\\..*");

  public Scenario {
    set = inOrder(set);
    steps = List.copyOf(steps);
  }

  /**
   * One change.
   *
   * @param at after the beginning
   * @param set lines set in the state
   * @param clear lines taken away
   * @param xids reported after the lines have changed
   */
  public record Step(Duration at, Map<String, String> set, List<String> clear, List<Xid> xids) {
    public Step {
      set = inOrder(set);
      clear = List.copyOf(clear);
      xids = List.copyOf(xids);
    }

    Step later(Duration by) {
      return new Step(at.plus(by), set, clear, xids);
    }
  }

  /** A driver's report of a fault: which GPU, which number of NVIDIA's catalogue. */
  public record Xid(int gpu, int number) {}

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
    Stream<String> keys =
        Stream.concat(
            set.keySet().stream(), steps.stream().flatMap(step -> step.set().keySet().stream()));
    Stream<Integer> named =
        keys.map(GPU::matcher).filter(Matcher::matches).map(m -> Integer.valueOf(m.group(1)));
    Stream<Integer> reported = steps.stream().flatMap(s -> s.xids().stream()).map(Xid::gpu);
    return 1 + Stream.concat(named, reported).mapToInt(Integer::intValue).max().orElse(0);
  }

  private static Map<String, String> inOrder(Map<String, String> lines) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(lines));
  }
}
