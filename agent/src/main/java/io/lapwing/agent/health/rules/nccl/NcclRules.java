package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at NCCL communicators. */
public final class NcclRules {

  private NcclRules() {}

  /** In the order in which they are listed to people: who is gone, what broke, what waits. */
  public static List<HealthRule> all() {
    return List.of(new RankMissing(), new AsyncError(), new CollectivesStalled());
  }
}
