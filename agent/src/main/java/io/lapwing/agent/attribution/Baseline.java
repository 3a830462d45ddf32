package io.lapwing.agent.attribution;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What each portion of a rank's steps usually takes: the lower quartile of its last half hour, so
 * that a slowness of minutes does not become usual, and a single lucky minute does not either. A
 * slowness that lasts for longer does; then only siblings and what is always a loss tell of it.
 */
final class Baseline {

  private static final int MOST = 30;

  /** Fewer stretches say nothing. */
  private static final int LEAST = 3;

  private static final double QUARTILE = 0.25;

  private final Map<Portion, double[]> kept = new EnumMap<>(Portion.class);
  private final Map<Portion, Integer> counts = new EnumMap<>(Portion.class);

  void note(RankTime time) {
    for (Portion portion : Portion.values()) {
      time.each(portion).ifPresent(seconds -> note(portion, seconds));
    }
  }

  private void note(Portion portion, double seconds) {
    int count = counts.merge(portion, 1, Integer::sum);
    kept.computeIfAbsent(portion, unseen -> new double[MOST])[(count - 1) % MOST] = seconds;
  }

  /** Seconds a step; empty while too little was seen. */
  OptionalDouble of(Portion portion) {
    int count = Math.min(MOST, counts.getOrDefault(portion, 0));
    double[] seen = kept.get(portion);
    if (seen == null || count < LEAST) {
      return OptionalDouble.empty();
    }
    double[] sorted = Arrays.copyOf(seen, count);
    Arrays.sort(sorted);
    return OptionalDouble.of(sorted[(int) (QUARTILE * (count - 1))]);
  }
}
