package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at training loops. */
public final class TrainingRules {

  private TrainingRules() {}

  /** In the order in which they are listed to people. */
  public static List<HealthRule> all() {
    return List.of(new TrainingStall(), new TrainingStraggler());
  }
}
