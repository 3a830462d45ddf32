package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on training loops. */
public final class TrainingRules {

  private TrainingRules() {}

  /** In the order of the documentation. */
  public static List<HealthRule> all() {
    return List.of(new TrainingStall(), new TrainingStraggler());
  }
}
