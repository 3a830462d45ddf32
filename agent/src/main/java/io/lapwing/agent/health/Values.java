package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The values of one device at one moment, by family and by the labels after the device's own. */
public interface Values {

  Values NONE = (metric) -> Map.of();

  /**
   * All values of a family, by the labels after the device's own; an empty list for a single value.
   */
  Map<List<String>, Double> all(Metric metric);

  /** As {@link #all}, but without a map. */
  default void each(Metric metric, Each each) {
    all(metric).forEach(each::value);
  }

  /** Whether a family has a value. */
  default boolean has(Metric metric) {
    return !all(metric).isEmpty();
  }

  interface Each {
    void value(List<String> labels, double value);
  }

  default OptionalDouble get(Metric metric, String... labels) {
    Double value = all(metric).get(List.of(labels));
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  default boolean isSet(Metric metric, String... labels) {
    return get(metric, labels).orElse(0) != 0;
  }
}
