package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules on EFA devices. */
public final class EfaRules {

  private EfaRules() {}

  /** In the order of the documentation: presence, the device, the network, speed. */
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
