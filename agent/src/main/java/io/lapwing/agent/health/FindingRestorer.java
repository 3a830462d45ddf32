package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Restores findings from the event log, until their rules run again. */
final class FindingRestorer {

  private FindingRestorer() {}

  /** The finding as it opened; words of a newer version count as {@link Severity#UNKNOWN}. */
  static Finding finding(Event.FindingOpened opened, @Nullable RuleSpec spec) {
    Disposition disposition =
        new Disposition(
            word(Severity.values(), Severity::text, opened.severity(), Severity.UNKNOWN),
            word(Action.values(), Action::text, opened.action(), Action.WATCH),
            Urgency.JOB_END);
    Detection detection =
        new Detection(
            opened.rule(),
            Subject.parse(opened.subject()),
            disposition,
            opened.what(),
            spec == null ? "" : spec.why(),
            spec == null ? "" : spec.document(),
            Optional.of(opened.since()),
            Optional.of(opened.at()),
            1,
            List.of("event log"));
    return new Finding(detection, opened.since(), opened.at());
  }

  private static <T> T word(T[] all, Function<T, String> text, String word, T otherwise) {
    return Arrays.stream(all)
        .filter(one -> text.apply(one).equals(word))
        .findFirst()
        .orElse(otherwise);
  }
}
