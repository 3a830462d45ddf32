package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at EFA devices. */
public final class EfaRules {

  private EfaRules() {}

  /** In the order in which they are listed to people: presence, the device, the network, speed. */
  public static List<HealthRule> all() {
    return List.of(
        new EfaCount(),
        new EfaMetricsUnavailable(),
        new EfaAdminCommands(),
        new EfaKeepAlive(),
        new EfaRetransmits(),
        EfaEvents.timeouts(),
        EfaEvents.unresponsivePeers(),
        EfaEvents.impairedPeers(),
        EfaRequestErrors.ofReads(),
        EfaRequestErrors.ofWrites(),
        new EfaRailSlow());
  }
}
