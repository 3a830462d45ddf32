package io.lapwing.agent.health;

import java.util.List;

/** One health check of a node. A pure function: state between evaluations is in the events. */
public interface HealthRule {

  /** Constant. */
  RuleSpec spec();

  /**
   * The problems in a snapshot, before {@link RuleSpec#openAfter} and {@link RuleSpec#closeAfter}.
   */
  List<Detection> evaluate(NodeSnapshot view, RulePolicy policy);

  /**
   * Whether it has data on a subject; if not, its findings stay open. A part that is gone while its
   * kind answers was removed, and its findings close.
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

  /** Whether it has data while the GPUs are released. */
  default boolean readsReleased() {
    return !kind().equals(Subject.Gpu.KIND);
  }

  /** The kind of part that it evaluates: {@code gpu} or another. */
  default String kind() {
    return Subject.Gpu.KIND;
  }
}
