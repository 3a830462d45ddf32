package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.util.List;

/** One reason why a node may not be well. A pure function: what it is to remember are events. */
public interface HealthRule {

  RuleSpec spec();

  /**
   * What is wrong at this moment; empty while nothing is. Hysteresis is not its business: {@link
   * RuleSpec#hold} and {@link RuleSpec#release} are seen to by the book.
   */
  List<Detection> judge(NodeSnapshot view, RulePolicy policy);

  /**
   * Whether it can tell of a subject now. What it found before stays for as long as it cannot: what
   * nobody can look at does not get better by that. A part that is gone while its kind answers was
   * taken away, and what was wrong with it went with it.
   */
  default boolean sees(Subject subject, NodeSnapshot view) {
    if (!(subject instanceof Subject.OfPart part)) {
      return true;
    }
    return view.part(part.kind(), part.name())
        .or(() -> view.whole(part.kind()))
        .filter(PartStatus::readable)
        .isPresent();
  }

  /** What it looks at: {@code gpu}, or the kind of the parts. */
  default String kind() {
    return Subject.Gpu.KIND;
  }

  /**
   * The families that it looks at; where no device has any of them, the rule sees nothing. Empty
   * for a rule that looks at states only.
   */
  default List<Metric> needs() {
    return List.of();
  }

  /**
   * The families of which it takes values as well, where they are there. What a rule names in none
   * of the three is not read for it.
   */
  default List<Metric> reads() {
    return List.of();
  }

  /** The counters whose increase it asks for; see {@link NodeSnapshot#trends}. */
  default List<Metric> trends() {
    return List.of();
  }
}
