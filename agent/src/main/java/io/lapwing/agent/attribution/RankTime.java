package io.lapwing.agent.attribution;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a rank spent its steps with in a stretch of time.
 *
 * @param steps that ended in it
 * @param seconds that these steps took
 * @param portions what they were made of, in seconds; one that the loop does not tell is not there
 */
record RankTime(double steps, double seconds, Map<Portion, Double> portions) {

  /** Of a rank that ended no step. */
  static final RankTime NONE = new RankTime(0, 0, Map.of());

  RankTime {
    portions = Map.copyOf(portions);
  }

  /** Of what the loop tells; the rest is what is left. */
  static RankTime of(double steps, double seconds, Map<Portion, Double> told) {
    Map<Portion, Double> portions = new EnumMap<>(Portion.class);
    portions.putAll(told);
    double known = told.values().stream().mapToDouble(Double::doubleValue).sum();
    portions.put(Portion.REST, Math.max(0, seconds - known));
    return new RankTime(steps, seconds, portions);
  }

  /** Seconds of a portion a step. */
  OptionalDouble each(Portion portion) {
    Double all = portions.get(portion);
    return all == null ? OptionalDouble.empty() : OptionalDouble.of(all / steps);
  }
}
