package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Findings read back from the event log, until their rules have looked again. */
final class FindingRestorer {

  private FindingRestorer() {}

  /** As it was when it opened; words that this version does not know weigh as unknown. */
  static Finding finding(Event.FindingOpened opened, @Nullable RuleSpec spec) {
    Disposition call =
        new Disposition(
            word(Severity.values(), Severity::text, opened.severity(), Severity.UNKNOWN),
            word(Action.values(), Action::text, opened.action(), Action.WATCH),
            Urgency.JOB_END);
    Detection symptom =
        new Detection(
            opened.rule(),
            Subject.parse(opened.subject()),
            call,
            opened.what(),
            spec == null ? "" : spec.why(),
            spec == null ? "" : spec.document(),
            Optional.of(opened.since()),
            Optional.of(opened.at()),
            1,
            List.of("event log"));
    return new Finding(symptom, opened.since(), opened.at());
  }

  private static <T> T word(T[] all, Function<T, String> text, String word, T otherwise) {
    return Arrays.stream(all)
        .filter(one -> text.apply(one).equals(word))
        .findFirst()
        .orElse(otherwise);
  }
}
