package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Increases of counters in the last minutes. */
public interface Trends {

  /** Without data. */
  Trends NONE = (part, metric, labels, window) -> OptionalDouble.empty();

  Duration LONGEST = Duration.ofMinutes(10);

  /**
   * The increase of a counter within a window; after a reset it counts from zero. Empty where the
   * readings cover less than half of the window.
   *
   * @param part UUID of a GPU, or {@link PartStatus#key}
   * @param labels as in {@link Values#get}
   */
  OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window);

  /** The increase of a counter without labels within {@link #LONGEST}; 0 if unknown. */
  default double recent(String part, Metric metric) {
    return increase(part, metric, List.of(), LONGEST).orElse(0);
  }
}
