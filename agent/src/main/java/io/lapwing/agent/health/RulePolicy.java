package io.lapwing.agent.health;

import java.util.Map;

/**
 * The policy of one rule.
 *
 * @param thresholds all of the rule, by name
 */
public record RulePolicy(boolean enabled, Disposition disposition, Map<String, Double> thresholds) {

  public RulePolicy {
    thresholds = Map.copyOf(thresholds);
  }

  /** A threshold that the rule declares. */
  public double threshold(String name) {
    Double value = thresholds.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no threshold " + name + " among " + thresholds.keySet());
    }
    return value;
  }
}
