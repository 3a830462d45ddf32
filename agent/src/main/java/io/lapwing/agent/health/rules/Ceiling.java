package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Urgency;

/**
 * A rule that knows several forms of a fault has the call of the gravest in its spec. What a site
 * sets there is a ceiling: no form is called worse than that.
 */
public final class Ceiling {

  static final Call WATCH = Call.degraded(Action.WATCH, Urgency.JOB_END);

  private Ceiling() {}

  /** The symptom with the meaning of a milder form of it. */
  public static Symptom form(Symptom symptom, Call form, String because) {
    return symptom.meaning(under(symptom.call(), form), because);
  }

  /** The milder of the two in each respect. */
  static Call under(Call ceiling, Call form) {
    return new Call(
        milder(ceiling.severity(), form.severity()),
        milder(ceiling.action(), form.action()),
        milder(ceiling.urgency(), form.urgency()));
  }

  private static Severity milder(Severity one, Severity other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Action milder(Action one, Action other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Urgency milder(Urgency one, Urgency other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
