package io.lapwing.agent.health;

import java.util.List;

/** Every rule there is, in the order in which they are shown. */
public final class Rules {

  private Rules() {}

  public static List<HealthRule> all() {
    return List.of();
  }

  public static List<RuleSpec> specs() {
    return all().stream().map(HealthRule::spec).toList();
  }
}
