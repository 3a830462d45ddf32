package io.lapwing.simulator;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of one device since its driver was loaded. They continue from their value when the traffic
 * changes.
 */
final class EfaTotals {
  /** Traffic varies by a third with this period in seconds; counters never decrease. */
  private static final double WAVE_SECONDS = 37;

  private static final double WAVE_HEIGHT = 2;

  private final Map<EfaCounter, Double> settled = new EnumMap<>(EfaCounter.class);
  private final Map<EfaCounter, String> lines = new EnumMap<>(EfaCounter.class);
  private EfaTraffic traffic;
  private double began;
  private double since;

  EfaTotals(EfaTraffic traffic, double began) {
    this.traffic = traffic;
    this.began = began;
    this.since = began;
  }

  /** The driver was loaded at that second since 1970. */
  void restart(double now) {
    settled.clear();
    lines.clear();
    began = now;
    since = now;
  }

  /**
   * Changes the traffic.
   *
   * @param besides state lines of counts in addition to traffic; counts of a removed line stay
   */
  void change(EfaTraffic next, Map<EfaCounter, String> besides, double now) {
    if (next.equals(traffic) && besides.equals(lines)) {
      return;
    }
    for (EfaCounter counter : EfaCounter.values()) {
      double counted = flowed(counter, now);
      String line = lines.get(counter);
      if (line != null && !line.equals(besides.get(counter))) {
        counted += counted(line, now);
      }
      settled.put(counter, counted);
    }
    traffic = next;
    lines.clear();
    lines.putAll(besides);
    since = now;
  }

  /** The file's value at that second. Commands that are never completed count as submitted. */
  long at(EfaCounter counter, double now) {
    long own = own(counter, now);
    return counter == EfaCounter.SUBMITTED_CMDS
        ? own + own(EfaCounter.NO_COMPLETION_CMDS, now)
        : own;
  }

  private long own(EfaCounter counter, double now) {
    String line = lines.get(counter);
    return (long) (flowed(counter, now) + (line == null ? 0 : counted(line, now)));
  }

  private double flowed(EfaCounter counter, double now) {
    double passed = Math.max(0, phase(now) - phase(since));
    return settled.getOrDefault(counter, 0.0) + traffic.perSecond(counter) * passed;
  }

  private double counted(String line, double now) {
    return CounterLine.value(line, now, began).orElse(0L);
  }

  private static double phase(double second) {
    return second + WAVE_HEIGHT * Math.sin(2 * Math.PI * second / WAVE_SECONDS);
  }
}
