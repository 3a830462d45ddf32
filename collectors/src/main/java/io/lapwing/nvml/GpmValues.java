package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.EnumMap;
import java.util.Map;

/**
 * Averages over the seconds between two GPM samples; 0 and no values with only one sample, 0 and
 * the previous averages if no new sample was taken.
 */
public record GpmValues(double seconds, Map<GpmMetric, Reading<Double>> values) {

  /** The values before the second sample: none. */
  public static final GpmValues NONE = new GpmValues(0, Map.of());

  public GpmValues {
    values = values.isEmpty() ? Map.of() : new EnumMap<>(values);
  }

  /** The same averages, over no further time. */
  GpmValues repeated() {
    return new GpmValues(0, values);
  }

  /** A ratio of 0 to 1, or bytes per second. */
  public Reading<Double> get(GpmMetric metric) {
    Reading<Double> value = values.get(metric);
    return value == null ? new Reading.Unsupported<>("GPM " + metric.id()) : value;
  }
}
