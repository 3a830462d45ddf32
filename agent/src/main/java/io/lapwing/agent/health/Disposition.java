package io.lapwing.agent.health;

/** Severity, action and urgency of a finding: one line of a policy. */
public record Disposition(Severity severity, Action action, Urgency urgency) {

  /** For a fault without an action yet. */
  public static final Disposition WATCH = degraded(Action.WATCH, Urgency.JOB_END);

  /**
   * For a fault whose cause is outside of this node's hardware: a server, a peer, a program. The
   * node stays healthy; the alert goes to those who run the other side.
   */
  public static final Disposition EXTERNAL =
      new Disposition(Severity.INFO, Action.WATCH, Urgency.JOB_END);

  public static Disposition failing(Action action, Urgency urgency) {
    return new Disposition(Severity.FAILING, action, urgency);
  }

  public static Disposition degraded(Action action, Urgency urgency) {
    return new Disposition(Severity.DEGRADED, action, urgency);
  }

  public static Disposition info() {
    return new Disposition(Severity.INFO, Action.NONE, Urgency.JOB_END);
  }

  public static Disposition unknown() {
    return new Disposition(Severity.UNKNOWN, Action.WATCH, Urgency.JOB_END);
  }

  /** The milder of the two in each respect. */
  public Disposition atMost(Disposition other) {
    return new Disposition(
        milder(severity, other.severity),
        milder(action, other.action),
        milder(urgency, other.urgency));
  }

  /** The more severe of the two in each respect. */
  public Disposition atLeast(Disposition other) {
    return new Disposition(
        severer(severity, other.severity),
        severer(action, other.action),
        severer(urgency, other.urgency));
  }

  private static <T extends Enum<T>> T severer(T one, T other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static <T extends Enum<T>> T milder(T one, T other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
