package io.lapwing.agent.health;

import java.util.Map;
import java.util.Optional;

/**
 * A site's differences from its profile. Validated: every rule and threshold exists, and every
 * threshold is within its bounds.
 *
 * @param file the policy file, as configured; empty if not set
 * @param profile to start from; empty where the file has none
 * @param xids by number; one that the table lacks has a complete disposition
 * @param unknownXid for all numbers that the table lacks
 * @param rules by name
 */
public record PolicyOverrides(
    Optional<String> file,
    Optional<Profile> profile,
    Map<Integer, DispositionChange> xids,
    DispositionChange unknownXid,
    Map<String, RuleChange> rules) {

  public static final PolicyOverrides NONE =
      new PolicyOverrides(
          Optional.empty(), Optional.empty(), Map.of(), DispositionChange.NONE, Map.of());

  public PolicyOverrides {
    xids = Map.copyOf(xids);
    rules = Map.copyOf(rules);
  }

  public DispositionChange xid(int number) {
    return xids.getOrDefault(number, DispositionChange.NONE);
  }

  public RuleChange rule(String name) {
    return rules.getOrDefault(name, RuleChange.NONE);
  }

  /** Parts of a disposition; empty ones stay unchanged. */
  public record DispositionChange(
      Optional<Severity> severity, Optional<Action> action, Optional<Urgency> urgency) {

    public static final DispositionChange NONE =
        new DispositionChange(Optional.empty(), Optional.empty(), Optional.empty());

    public Disposition of(Disposition preset) {
      return new Disposition(
          severity.orElse(preset.severity()),
          action.orElse(preset.action()),
          urgency.orElse(preset.urgency()));
    }

    public boolean isComplete() {
      return severity.isPresent() && action.isPresent() && urgency.isPresent();
    }
  }

  /** Changes to a rule; unnamed thresholds stay as they are. */
  public record RuleChange(
      Optional<Boolean> enabled, DispositionChange disposition, Map<String, Double> thresholds) {

    public static final RuleChange NONE =
        new RuleChange(Optional.empty(), DispositionChange.NONE, Map.of());

    public RuleChange {
      thresholds = Map.copyOf(thresholds);
    }
  }
}
