package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A detection that lasted for the time that its rule requires; {@code since} is constant while it
 * is open.
 */
public record Finding(Detection detection, Instant since, Instant last) {

  public String rule() {
    return detection.rule();
  }

  public Subject subject() {
    return detection.subject();
  }

  public Disposition disposition() {
    return detection.disposition();
  }

  /**
   * The finding of an event, until its rule runs again; unknown words are {@link Severity#UNKNOWN}.
   */
  static Finding restored(Event.FindingOpened opened, @Nullable RuleSpec spec) {
    Detection detection =
        new Detection(
            opened.rule(),
            Subject.parse(opened.subject()),
            disposition(opened.severity(), opened.action()),
            opened.what(),
            spec == null ? "" : spec.why(),
            spec == null ? "" : spec.document(),
            Optional.of(opened.since()),
            Optional.of(opened.at()),
            1,
            List.of("event log"));
    return new Finding(detection, opened.since(), opened.at());
  }

  /** Of words in the event log. */
  public static Disposition disposition(String severity, String action) {
    return new Disposition(
        word(Severity.values(), Severity::text, severity, Severity.UNKNOWN),
        word(Action.values(), Action::text, action, Action.WATCH),
        Urgency.JOB_END);
  }

  private static <T> T word(T[] all, Function<T, String> text, String word, T otherwise) {
    return Arrays.stream(all)
        .filter(one -> text.apply(one).equals(word))
        .findFirst()
        .orElse(otherwise);
  }
}
