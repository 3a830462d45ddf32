package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.EnumMap;
import java.util.Map;

/**
 * Averages between two GPM samples.
 *
 * @param seconds between the samples; 0 with only one sample, and then there are no values
 */
public record GpmValues(double seconds, Map<GpmMetric, Reading<Double>> values) {

  /** The values before the second sample: none. */
  public static final GpmValues NONE = new GpmValues(0, Map.of());

  public GpmValues {
    values = values.isEmpty() ? Map.of() : new EnumMap<>(values);
  }

  /** A ratio of 0 to 1, or bytes per second. */
  public Reading<Double> get(GpmMetric metric) {
    Reading<Double> value = values.get(metric);
    return value == null ? new Reading.Unsupported<>("GPM " + metric.id()) : value;
  }
}
