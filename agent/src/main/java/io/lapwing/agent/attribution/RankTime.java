package io.lapwing.agent.attribution;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The completed steps of a window and their seconds, with those of checkpoints, which the durations
 * of steps do not include; a portion that the loop does not record is absent.
 */
record RankTime(double steps, double seconds, Map<Portion, Double> portions) {

  /** No completed steps. */
  static final RankTime NONE = new RankTime(0, 0, Map.of());

  RankTime {
    portions = Map.copyOf(portions);
  }

  static RankTime of(double steps, double seconds, Map<Portion, Double> recorded) {
    Map<Portion, Double> portions = new EnumMap<>(Portion.class);
    portions.putAll(recorded);
    double known = recorded.values().stream().mapToDouble(Double::doubleValue).sum();
    double all = seconds + recorded.getOrDefault(Portion.CHECKPOINT, 0.0);
    portions.put(Portion.REST, Math.max(0, all - known));
    return new RankTime(steps, all, portions);
  }

  OptionalDouble each(Portion portion) {
    Double all = portions.get(portion);
    return all == null ? OptionalDouble.empty() : OptionalDouble.of(all / steps);
  }
}
