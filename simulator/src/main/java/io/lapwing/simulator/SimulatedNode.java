package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node that does not exist, in a folder: the library, the state that it answers from, /sys and
 * /proc.
 *
 * <p>The folder is all there is: the library finds {@code ../state} beside itself, so an agent
 * needs no environment variable, and every node in one process is a library of its own. What a line
 * of the state means is in the module's README. Methods may be called from any thread.
 */
public final class SimulatedNode {
  /**
   * Events are kept in the state until this many newer ones came; a reader is at most a second
   * behind.
   */
  private static final int EVENTS_KEPT = 200;

  private final Path dir;
  private final InstanceType type;
  private final StateFile state;
  private final Clock clock;
  private final Deque<String> events = new ArrayDeque<>();
  private long lastEvent;

  private SimulatedNode(Path dir, InstanceType type, StateFile state, Clock clock) {
    this.dir = dir;
    this.type = type;
    this.state = state;
    this.clock = clock;
  }

  /** Writes a healthy, busy node of that type into dir, which is made when it is not there. */
  public static SimulatedNode create(Path dir, InstanceType type) {
    return create(dir, type, Variant.NEW);
  }

  /** The same, with the library of an older driver as its main one. */
  public static SimulatedNode create(Path dir, InstanceType type, Variant variant) {
    return create(dir, type, variant, Clock.systemUTC());
  }

  static SimulatedNode create(Path dir, InstanceType type, Variant variant, Clock clock) {
    try {
      Path folder = dir.toAbsolutePath();
      StateFile state = NodeWriter.write(folder, type, variant, clock.instant());
      return new SimulatedNode(folder, type, state, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public InstanceType type() {
    return type;
  }

  public Path dir() {
    return dir;
  }

  /** What {@code --nvml.library} wants. */
  public Path library() {
    return dir.resolve(NodeWriter.LIBRARY);
  }

  /** Another driver's library for the same node; all of them answer from the same state. */
  public Path library(Variant variant) {
    return dir.resolve(variant.path());
  }

  /** What {@code --path.sysfs} wants. */
  public Path sysfs() {
    return dir.resolve("sys");
  }

  /** What {@code --path.procfs} wants. */
  public Path procfs() {
    return dir.resolve("proc");
  }

  /** What {@code --path.rootfs} wants. */
  public Path rootfs() {
    return dir;
  }

  public Path state() {
    return state.file();
  }

  /** The flags that make an agent read this node, on one line. */
  public String agentFlags() {
    return String.join(" ", agentArguments());
  }

  public List<String> agentArguments() {
    return List.of(
        "--nvml.library=" + library(), "--path.sysfs=" + sysfs(), "--path.procfs=" + procfs());
  }

  /** Sets one line; "since now" in the value becomes the node's present second. */
  public void set(String key, String value) {
    change(Map.of(key, value), List.of());
  }

  /** Sets several lines in one step, in the map's order. */
  public void setAll(Map<String, String> lines) {
    change(lines, List.of());
  }

  /** Takes lines away, so that the ones before them or the presets are valid again. */
  public void clear(String... keys) {
    change(Map.of(), List.of(keys));
  }

  /** Takes lines away and sets others, in one step. */
  public synchronized void change(Map<String, String> set, List<String> clear) {
    clear.forEach(state::remove);
    set.forEach((key, value) -> state.put(key, resolved(value)));
    write(set.keySet().stream().anyMatch(key -> key.startsWith("driver.")));
  }

  /** The lines that a scenario starts with, and its name in the marker file. */
  void begin(Scenario scenario) {
    try {
      NodeWriter.mark(dir, type, scenario.name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    change(scenario.set(), List.of());
  }

  /**
   * Lets time stand still, an hour after the counters began, so that every value is the same in
   * every run. Has to come before a library of the node is loaded: counters never go back in one
   * that has already counted.
   */
  public void freeze(Instant moment) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("epoch", Epoch.seconds(moment.minus(Duration.ofHours(1))));
    lines.put("time", Epoch.seconds(moment));
    setAll(lines);
  }

  /** The driver reports an XID of that GPU, once, to everybody who has registered for it. */
  public synchronized void xid(int gpu, int number) {
    lastEvent++;
    String key = "event." + lastEvent;
    events.addLast(key);
    state.put(key, gpu + " xid " + number);
    if (events.size() > EVENTS_KEPT) {
      state.remove(events.removeFirst());
    }
    write(false);
  }

  /** The lines as they stand. */
  public synchronized Map<String, String> lines() {
    return state.lines();
  }

  private String resolved(String value) {
    if (!value.contains("since now")) {
      return value;
    }
    String time = state.lines().getOrDefault("time", "live");
    String now = time.equals("live") ? Epoch.seconds(clock.instant()) : time;
    return value.replace("since now", "since " + now);
  }

  /**
   * The kernel's view of the driver changes first: it is what the library's answers are true of.
   */
  private void write(boolean driverChanged) {
    try {
      if (driverChanged) {
        new GpuTree(type, state.lines())
            .writeDriver(new KernelTree(sysfs()), new KernelTree(procfs()));
      }
      state.write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
