package io.lapwing.simulator;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pressure stall information in /proc/pressure: the time in which some tasks waited for a resource.
 * State lines: {@code pressure.cpu: 0.4}, {@code pressure.memory} and {@code pressure.io}, shares
 * of the time.
 */
final class PressureTree {
  private static final String PREFIX = "pressure.";

  /** Seconds since the boot: some waiting in the past. */
  private static final Map<String, Double> BEFORE = Map.of("cpu", 41.25, "memory", 0.0, "io", 12.5);

  /** Time in which all tasks waited; it stays as it is. */
  private static final Map<String, Double> FULL = Map.of("cpu", 0.0, "memory", 0.0, "io", 9.25);

  private final KernelTree proc;
  private final StateFile state;
  private final Map<String, ShareOfTime> some = new TreeMap<>();
  private final Map<String, String> written = new TreeMap<>();

  PressureTree(KernelTree proc, StateFile state) {
    this.proc = proc;
    this.state = state;
  }

  static boolean isOfPressure(String key) {
    return key.startsWith(PREFIX);
  }

  /** As after a boot: enough of all resources, unless a line says otherwise. */
  void boot(Instant now) throws IOException {
    BEFORE.forEach((resource, seconds) -> some.put(resource, new ShareOfTime(seconds, now)));
    change(now);
  }

  /** Applies changed lines. */
  void change(Instant now) throws IOException {
    state.lines().forEach(PressureTree::check);
    some.forEach((resource, time) -> time.change(share(resource), now));
    tick(now);
  }

  void tick(Instant now) throws IOException {
    for (Map.Entry<String, ShareOfTime> one : some.entrySet()) {
      String resource = one.getKey();
      double full = FULL.getOrDefault(resource, 0.0);
      String text = line("some", one.getValue().at(now)) + "\n" + line("full", full);
      if (!text.equals(written.put(resource, text))) {
        proc.replace("pressure/" + resource, text);
      }
    }
  }

  private double share(String resource) {
    return Double.parseDouble(state.lines().getOrDefault(PREFIX + resource, "0"));
  }

  private static void check(String key, String value) {
    if (isOfPressure(key)
        && !(BEFORE.containsKey(key.substring(PREFIX.length()))
            && value.matches("0(\\.\\d{1,3})?|1"))) {
      throw new IllegalArgumentException(
          key + " = " + value + ": pressure.cpu, memory or io is a share from 0 to 1 such as 0.4");
    }
  }

  /** The averages stay 0: the agent reads totals only. */
  private static String line(String tasks, double seconds) {
    return tasks + " avg10=0.00 avg60=0.00 avg300=0.00 total=" + Math.round(seconds * 1e6);
  }

  /** A boot ends all pressure. */
  static void restart(StateFile state) {
    BEFORE.keySet().forEach(resource -> state.remove(PREFIX + resource));
  }
}
