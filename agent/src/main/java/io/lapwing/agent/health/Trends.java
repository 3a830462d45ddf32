package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** How counters moved in the last minutes, as far as the agent has watched. */
public interface Trends {

  /** Of nothing. */
  Trends NONE = (part, metric, labels, window) -> OptionalDouble.empty();

  /** The longest window there is. */
  Duration LONGEST = Duration.ofMinutes(10);

  /**
   * By how much a counter grew within a window; a reset counts as growth from zero. Empty where it
   * was watched for less than half of the window.
   *
   * @param part UUID of a GPU, or {@link PartStatus#key}
   * @param labels as in {@link Values#get}
   */
  OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window);
}
