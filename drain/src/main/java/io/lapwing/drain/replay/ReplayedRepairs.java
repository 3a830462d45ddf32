package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.RepairsByRemedy;
import io.lapwing.drain.health.Remedy;

/** The drivers of the configuration; the cluster has the progress of a repair. */
record ReplayedRepairs(RepairsByRemedy drivers, Repairs cluster) implements Repairs {

  @Override
  public CommandResult begin(Repair repair) {
    return drivers.begin(repair);
  }

  @Override
  public Progress progress(Remedy remedy, NodeState node, String reason) {
    return cluster.progress(remedy, node, reason);
  }
}
