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
  List<Symptom> judge(NodeView view, RulePolicy policy);

  /** What it reads of a GPU's values. */
  default List<Metric> needs() {
    return List.of();
  }

  /** What it asks the trends for. */
  default List<Metric> trends() {
    return List.of();
  }
}
