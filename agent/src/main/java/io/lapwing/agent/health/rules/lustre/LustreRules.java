package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on the Lustre client. */
public final class LustreRules {

  private LustreRules() {}

  /** In the order of the documentation: the client, connections, speed. */
  public static List<HealthRule> all() {
    return List.of(
        new TargetUnhealthy(),
        new TargetDisconnected(),
        new TargetEvicted(),
        new RpcTimeouts(),
        new SlowTarget(),
        new RpcsFull(),
        new GrantExhausted(),
        new LustreMetricsUnavailable());
  }
}
