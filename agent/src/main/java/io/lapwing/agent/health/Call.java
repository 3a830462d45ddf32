package io.lapwing.agent.health;

/** What a finding means: one line of a policy. */
public record Call(Severity severity, Action action, Urgency urgency) {

  public static Call failing(Action action, Urgency urgency) {
    return new Call(Severity.FAILING, action, urgency);
  }

  public static Call degraded(Action action, Urgency urgency) {
    return new Call(Severity.DEGRADED, action, urgency);
  }

  public static Call info() {
    return new Call(Severity.INFO, Action.NONE, Urgency.JOB_END);
  }

  public static Call unknown() {
    return new Call(Severity.UNKNOWN, Action.WATCH, Urgency.JOB_END);
  }
}
