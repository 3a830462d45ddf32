package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on NCCL communicators. */
public final class NcclRules {

  private NcclRules() {}

  /** In the order of the documentation: missing ranks, errors, stalls. */
  public static List<HealthRule> all() {
    return List.of(new RankMissing(), new AsyncError(), new CollectivesStalled());
  }
}
