package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.time.Instant;

/**
 * A rule of a fault that shows only under load. Once it asks for more than at first, an idle GPU is
 * no sign that it is over: a drained node would be returned as soon as its job has left.
 */
interface LoadRule extends HealthRule {

  Duration WINDOW = Duration.ofMinutes(1);
  double ACTIVE = 0.1;

  @Override
  default boolean canEvaluate(
      Subject subject, NodeSnapshot view, Instant detected, RulePolicy policy) {
    return canEvaluate(subject, view)
        && (isUnderLoad(subject, view, policy) || !isEscalated(subject, view));
  }

  /** Whether the GPU, or for the node any GPU, does enough for the fault to show. */
  default boolean isUnderLoad(Subject subject, NodeSnapshot view, RulePolicy policy) {
    return GpuRule.answering(view).stream()
        .filter(gpu -> subject.equals(Subject.NODE) || subject.equals(gpu.subject()))
        .anyMatch(gpu -> Cohort.activity(gpu, view, WINDOW).orElse(1) >= ACTIVE);
  }

  private boolean isEscalated(Subject subject, NodeSnapshot view) {
    return view.history()
        .last(Event.class, event -> isOf(event, subject.text()))
        .filter(Event.FindingEscalated.class::isInstance)
        .isPresent();
  }

  private boolean isOf(Event event, String subject) {
    String rule = spec().name();
    return (event instanceof Event.FindingEscalated escalated
            && escalated.rule().equals(rule)
            && escalated.subject().equals(subject))
        || (event instanceof Event.FindingOpened opened
            && opened.rule().equals(rule)
            && opened.subject().equals(subject));
  }
}
