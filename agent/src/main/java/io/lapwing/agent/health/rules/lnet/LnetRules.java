package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on Lustre's network. */
public final class LnetRules {

  private LnetRules() {}

  /** In the order of the documentation. */
  public static List<HealthRule> all() {
    return List.of(
        new LnetDown(), new LnetDrops(), new LnetCredits(), new LnetMetricsUnavailable());
  }
}
