package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All nodes and running jobs, as read at one time.
 *
 * @param at when the reading began
 */
public record ClusterView(Instant at, Map<NodeName, NodeState> nodes, List<Job> jobs) {

  public ClusterView {
    nodes = Map.copyOf(nodes);
    jobs = List.copyOf(jobs);
  }

  /** The view of these nodes. */
  public static ClusterView of(Instant at, Collection<NodeState> nodes, List<Job> jobs) {
    Map<NodeName, NodeState> byName = new TreeMap<>();
    nodes.forEach(node -> byName.put(node.name(), node));
    return new ClusterView(at, byName, jobs);
  }

  /** Empty if the scheduler has no such node. */
  public Optional<NodeState> node(NodeName name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** The running jobs on a node. */
  public List<Job> jobsOn(NodeName name) {
    return jobs.stream().filter(job -> job.nodes().contains(name)).toList();
  }
}
