package io.lapwing.drain.queue;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The capacity of each partition or node group. A node of two counts in both. */
public final class Capacity {

  private final Map<String, GroupCapacity> groups = new TreeMap<>();

  private final boolean powersDown;

  private Capacity(boolean powersDown) {
    this.powersDown = powersDown;
  }

  public static Capacity of(ClusterView view) {
    ClusterIndex index = new ClusterIndex(view);
    Capacity capacity = new Capacity(!view.absent().isEmpty());
    for (NodeState node : view.nodes().values()) {
      boolean inService = node.service() == Service.IN_SERVICE && node.registered();
      int used = used(node, index);
      boolean idle = index.jobsOn(node.name()).isEmpty();
      for (String group : node.groups()) {
        capacity.groups.compute(
            group,
            (name, so) ->
                (so == null ? GroupCapacity.empty(name) : so)
                    .plus(node.gpus(), used, idle, inService));
      }
    }
    return capacity;
  }

  /** A job's GPUs are spread evenly over its nodes; all of a node, if their number is unknown. */
  private static int used(NodeState node, ClusterIndex index) {
    int used = 0;
    for (Job job : index.jobsOn(node.name())) {
      int nodes = Math.max(1, job.nodes().size());
      used += job.gpus() == 0 ? node.gpus() : (job.gpus() + nodes - 1) / nodes;
    }
    return Math.min(used, node.gpus());
  }

  /** Whether there are nodes that are powered down, and that no group counts. */
  boolean powersDown() {
    return powersDown;
  }

  public Collection<GroupCapacity> groups() {
    return groups.values();
  }

  /** Empty if the view has no node of it. */
  public Optional<GroupCapacity> group(String name) {
    return Optional.ofNullable(groups.get(name));
  }
}
