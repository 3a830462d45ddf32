package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at the Lustre client. */
public final class LustreRules {

  private LustreRules() {}

  /** In the order in which they are listed to people: the client, connections, speed. */
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
