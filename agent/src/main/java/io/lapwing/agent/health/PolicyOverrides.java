package io.lapwing.agent.health;

import java.util.Map;
import java.util.Optional;

/**
 * What a site wants otherwise than its profile has it. Checked: every rule and threshold exists,
 * and every threshold is within its bounds.
 *
 * @param file where they stand, as it was named; empty where there are none
 * @param profile the one to start from; empty where the site does not say
 * @param xids by number; one that the table lacks has a whole call
 * @param unknownXid for all numbers that the table lacks
 * @param rules by name
 */
public record PolicyOverrides(
    Optional<String> file,
    Optional<Profile> profile,
    Map<Integer, CallChange> xids,
    CallChange unknownXid,
    Map<String, RuleChange> rules) {

  public static final PolicyOverrides NONE =
      new PolicyOverrides(Optional.empty(), Optional.empty(), Map.of(), CallChange.NONE, Map.of());

  public PolicyOverrides {
    xids = Map.copyOf(xids);
    rules = Map.copyOf(rules);
  }

  public CallChange xid(int number) {
    return xids.getOrDefault(number, CallChange.NONE);
  }

  public RuleChange rule(String name) {
    return rules.getOrDefault(name, RuleChange.NONE);
  }

  /** Parts of a call; what is empty stays as it is. */
  public record CallChange(
      Optional<Severity> severity, Optional<Action> action, Optional<Urgency> urgency) {

    public static final CallChange NONE =
        new CallChange(Optional.empty(), Optional.empty(), Optional.empty());

    public Disposition of(Disposition preset) {
      return new Disposition(
          severity.orElse(preset.severity()),
          action.orElse(preset.action()),
          urgency.orElse(preset.urgency()));
    }

    /** Whether nothing of a preset is left. */
    public boolean isWhole() {
      return severity.isPresent() && action.isPresent() && urgency.isPresent();
    }
  }

  /**
   * Changes to a rule.
   *
   * @param enabled empty for as it is
   * @param thresholds by name; those that are not there stay as they are
   */
  public record RuleChange(
      Optional<Boolean> enabled, CallChange call, Map<String, Double> thresholds) {

    public static final RuleChange NONE =
        new RuleChange(Optional.empty(), CallChange.NONE, Map.of());

    public RuleChange {
      thresholds = Map.copyOf(thresholds);
    }
  }
}
