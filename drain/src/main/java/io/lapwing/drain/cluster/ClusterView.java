package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All nodes and running jobs, as read at one time.
 *
 * @param at when the reading began
 * @param nodes never changed afterwards: a copy of thousands for each round would be the dearest
 *     part of it
 * @param absent nodes of the cloud that have no machine at present and may take jobs, for which one
 *     is started; they are not among the others
 */
public record ClusterView(
    Instant at, Map<NodeName, NodeState> nodes, List<Job> jobs, Set<NodeName> absent) {

  public ClusterView {
    nodes = Collections.unmodifiableMap(nodes);
    jobs = List.copyOf(jobs);
    absent = Set.copyOf(absent);
  }

  /** All of whose nodes have machines. */
  public ClusterView(Instant at, Map<NodeName, NodeState> nodes, List<Job> jobs) {
    this(at, nodes, jobs, Set.of());
  }

  /** The view of these nodes. */
  public static ClusterView of(Instant at, Collection<NodeState> nodes, List<Job> jobs) {
    return of(at, nodes, jobs, Set.of());
  }

  /** The view of these nodes, and of those that have no machine at present. */
  public static ClusterView of(
      Instant at, Collection<NodeState> nodes, List<Job> jobs, Set<NodeName> absent) {
    Map<NodeName, NodeState> byName = new HashMap<>();
    nodes.forEach(node -> byName.put(node.name(), node));
    return new ClusterView(at, byName, jobs, absent);
  }

  /** The same at a later time. */
  public ClusterView readAgain(Instant at) {
    return new ClusterView(at, nodes, jobs, absent);
  }

  /** Empty if the scheduler has no such node. */
  public Optional<NodeState> node(NodeName name) {
    return Optional.ofNullable(nodes.get(name));
  }
}
