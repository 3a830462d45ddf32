package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;

/**
 * A rule that covers several forms of a fault has the disposition of the most severe form in its
 * spec. A site's setting is a cap: no form gets a more severe one.
 */
public final class SeverityCap {

  private SeverityCap() {}

  /** The detection with the meaning of a milder form. */
  public static Detection form(Detection detection, Disposition form, String because) {
    return detection.withDisposition(capped(detection.disposition(), form), because);
  }

  /** The milder of the two in each respect. */
  static Disposition capped(Disposition ceiling, Disposition form) {
    return new Disposition(
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
