package io.lapwing.agent.attribution;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The normal duration of each portion of a rank's steps: the lower quartile of the last half hour.
 * Not moved by a slowdown of minutes; only siblings and unconditional losses reveal a longer one.
 */
final class Baseline {

  private static final int MAX_WINDOWS = 30;

  /** With fewer windows there is no baseline. */
  private static final int MIN_WINDOWS = 3;

  private static final double QUARTILE = 0.25;

  private final Map<Portion, double[]> samples = new EnumMap<>(Portion.class);
  private final Map<Portion, Integer> counts = new EnumMap<>(Portion.class);

  void add(RankTime time) {
    for (Portion portion : Portion.values()) {
      time.each(portion).ifPresent(seconds -> add(portion, seconds));
    }
  }

  private void add(Portion portion, double seconds) {
    int count = counts.merge(portion, 1, Integer::sum);
    samples.computeIfAbsent(portion, unseen -> new double[MAX_WINDOWS])[(count - 1) % MAX_WINDOWS] =
        seconds;
  }

  /** Seconds per step; empty with too few windows. */
  OptionalDouble of(Portion portion) {
    int count = Math.min(MAX_WINDOWS, counts.getOrDefault(portion, 0));
    double[] seen = samples.get(portion);
    if (seen == null || count < MIN_WINDOWS) {
      return OptionalDouble.empty();
    }
    double[] sorted = Arrays.copyOf(seen, count);
    Arrays.sort(sorted);
    return OptionalDouble.of(sorted[(int) (QUARTILE * (count - 1))]);
  }
}
