package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Increases of counters in the last minutes. */
public interface Trends {

  Trends NONE = (part, metric, labels, window) -> OptionalDouble.empty();

  Duration LONGEST = Duration.ofMinutes(10);

  /**
   * A counter's increase within a window, from zero after a reset; empty where readings cover less
   * than half of it.
   */
  OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window);

  /** The seconds of a window in which a counter was read, for rates of {@link #increase}. */
  default double covered(String part, Metric metric, List<String> labels, Duration window) {
    return window.toMillis() / 1e3;
  }

  /** The increase of a counter without labels within {@link #LONGEST}; 0 if unknown. */
  default double recent(String part, Metric metric) {
    return increase(part, metric, List.of(), LONGEST).orElse(0);
  }
}
