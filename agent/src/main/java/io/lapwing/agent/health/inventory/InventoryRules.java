package io.lapwing.agent.health.inventory;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that look at what EC2 says of the instance. */
public final class InventoryRules {

  private InventoryRules() {}

  /** In the order in which they are listed to people. */
  public static List<HealthRule> all() {
    return List.of(new MaintenanceScheduled(), new SpotInterrupted());
  }
}
