package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One health check of a node. A pure function: state between evaluations is in the events. */
public interface HealthRule {

  /** Constant. */
  RuleSpec spec();

  /**
   * The problems in a snapshot, before {@link RuleSpec#openAfter} and {@link RuleSpec#closeAfter}.
   */
  List<Detection> evaluate(NodeSnapshot view, RulePolicy policy);

  /**
   * Whether it has data on a subject; if not, its findings stay open. A part that is missing while
   * its kind answers was removed, and its findings close.
   */
  default boolean canEvaluate(Subject subject, NodeSnapshot view) {
    if (!(subject instanceof Subject.OfPart part)) {
      return true;
    }
    return view.part(part.kind(), part.name())
        .or(() -> view.whole(part.kind()))
        .filter(PartStatus::readable)
        .isPresent();
  }

  /** The same for a finding on that subject that was {@code detected} last at that time. */
  default boolean canEvaluate(
      Subject subject, NodeSnapshot view, Instant detected, RulePolicy policy) {
    return canEvaluate(subject, view);
  }

  /** Whether it has data while the GPUs are released. */
  default boolean readsReleased() {
    return !kind().equals(Subject.Gpu.KIND);
  }

  /** The counters whose increase it uses, by kind of part: its own, unless it compares kinds. */
  default Map<String, List<Metric>> trends() {
    return Map.of(kind(), spec().trends());
  }

  /** The kind of part that it evaluates: {@code gpu} or another. */
  default String kind() {
    return Subject.Gpu.KIND;
  }
}
