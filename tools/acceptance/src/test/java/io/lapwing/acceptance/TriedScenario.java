package io.lapwing.acceptance;

import java.util.Set;

/**
 * The expected alerts of a scenario.
 *
 * @param alerts in the order of their arrival, and no others
 * @param severity of the first
 * @param action of the first
 * @param device what the description of the first names
 * @param rule of the finding that the first is about
 * @param clears whether an operator has to clear the finding
 */
record TriedScenario(
    String scenario,
    Set<String> alerts,
    String alert,
    String severity,
    String action,
    String device,
    String rule,
    boolean clears) {

  static TriedScenario of(
      String scenario, String alert, String severity, String action, String device, String rule) {
    return new TriedScenario(scenario, Set.of(alert), alert, severity, action, device, rule, false);
  }

  /** It does not recover by itself. */
  TriedScenario clearedByOperator() {
    return new TriedScenario(scenario, alerts, alert, severity, action, device, rule, true);
  }

  @Override
  public String toString() {
    return scenario;
  }
}
