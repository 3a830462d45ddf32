package io.lapwing.agent.health;

import java.util.Map;

/**
 * What holds for one rule.
 *
 * @param thresholds by name; every threshold of the rule is there
 */
public record RulePolicy(boolean enabled, Disposition call, Map<String, Double> thresholds) {

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
