package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The values of one device at one moment, from any samples: by family and by the labels that are
 * not the device's own.
 */
public interface Values {

  /** Of nothing. */
  Values NONE = (metric) -> Map.of();

  /**
   * All values of a family, by the values of the labels behind the device's own: the link of {@code
   * lapwing_gpu_nvlink_up}, or an empty list for a family with one value.
   */
  Map<List<String>, Double> all(Metric metric);

  /** The same one after the other, where nobody wants them together. */
  default void each(Metric metric, Each each) {
    all(metric).forEach(each::value);
  }

  /** Takes a value with its labels. */
  interface Each {
    void value(List<String> labels, double value);
  }

  /** The value of a family, of one series of it. */
  default OptionalDouble get(Metric metric, String... labels) {
    Double value = all(metric).get(List.of(labels));
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Whether the value is there and not 0. */
  default boolean isSet(Metric metric, String... labels) {
    return get(metric, labels).orElse(0) != 0;
  }
}
