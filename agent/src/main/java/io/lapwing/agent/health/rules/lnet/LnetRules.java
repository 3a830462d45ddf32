package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at Lustre's network. */
public final class LnetRules {

  private LnetRules() {}

  /** In the order in which they are listed to people. */
  public static List<HealthRule> all() {
    return List.of(
        new LnetDown(), new LnetDrops(), new LnetCredits(), new LnetMetricsUnavailable());
  }
}
