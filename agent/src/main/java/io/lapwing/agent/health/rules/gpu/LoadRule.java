package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A rule of a fault that shows only under load. Once it asks for more than at first, an idle GPU is
 * no sign that it is over: a drained node would be returned as soon as its job has left.
 */
interface LoadRule extends HealthRule {

  Duration WINDOW = Duration.ofMinutes(1);
  double BUSY = 0.5;

  @Override
  default boolean canEvaluate(Subject subject, NodeSnapshot view, Instant detected) {
    return canEvaluate(subject, view) && (isBusy(subject, view) || !isEscalated(subject, view));
  }

  private static boolean isBusy(Subject subject, NodeSnapshot view) {
    List<GpuStatus> gpus =
        subject instanceof Subject.Gpu gpu ? view.gpu(gpu.uuid()).stream().toList() : view.gpus();
    return gpus.isEmpty()
        || gpus.stream().anyMatch(gpu -> Cohort.activity(gpu, view, WINDOW).orElse(1) >= BUSY);
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
