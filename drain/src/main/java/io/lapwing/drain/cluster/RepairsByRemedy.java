package io.lapwing.drain.cluster;

import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.health.Remedy;
import java.util.Map;

/**
 * Sends each remedy to the driver that carries it out.
 *
 * @param drivers a remedy without one is not possible
 */
public record RepairsByRemedy(Map<Remedy, Repairs> drivers) implements Repairs {

  public RepairsByRemedy {
    drivers = Map.copyOf(drivers);
  }

  @Override
  public CommandResult begin(Repair repair) {
    Repairs driver = drivers.get(repair.remedy());
    return driver == null
        ? new NotPossible("no driver is configured for " + repair.remedy().word())
        : driver.begin(repair);
  }

  @Override
  public Progress progress(Remedy remedy, NodeState node, String reason) {
    Repairs driver = drivers.get(remedy);
    return driver == null ? Progress.UNKNOWN : driver.progress(remedy, node, reason);
  }
}
