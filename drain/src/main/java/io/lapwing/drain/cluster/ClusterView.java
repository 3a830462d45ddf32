package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All nodes and running jobs, as read at one time.
 *
 * @param at when the reading began
 * @param nodes never changed afterwards: a copy of thousands for each round would be the dearest
 *     part of it
 */
public record ClusterView(Instant at, Map<NodeName, NodeState> nodes, List<Job> jobs) {

  public ClusterView {
    nodes = Collections.unmodifiableMap(nodes);
    jobs = List.copyOf(jobs);
  }

  /** The view of these nodes. */
  public static ClusterView of(Instant at, Collection<NodeState> nodes, List<Job> jobs) {
    Map<NodeName, NodeState> byName = new HashMap<>();
    nodes.forEach(node -> byName.put(node.name(), node));
    return new ClusterView(at, byName, jobs);
  }

  /** Empty if the scheduler has no such node. */
  public Optional<NodeState> node(NodeName name) {
    return Optional.ofNullable(nodes.get(name));
  }
}
