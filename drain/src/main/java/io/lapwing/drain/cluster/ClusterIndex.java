package io.lapwing.drain.cluster;

import io.lapwing.drain.cluster.NodeState.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A view, counted at the first question: most rounds have none. Not thread-safe. */
public final class ClusterIndex {

  private static final String CLUSTER = "the cluster";

  private final ClusterView view;
  private @Nullable Map<NodeName, List<Job>> jobs;
  private @Nullable Map<String, Share> groups;
  private @Nullable Map<String, Share> domains;

  public ClusterIndex(ClusterView view) {
    this.view = view;
  }

  public ClusterView view() {
    return view;
  }

  /** Empty if the scheduler has no such node. */
  public Optional<NodeState> node(NodeName name) {
    return view.node(name);
  }

  /** The running jobs on a node. */
  public List<Job> jobsOn(NodeName name) {
    if (jobs == null) {
      jobs = new HashMap<>();
      for (Job job : view.jobs()) {
        for (NodeName node : job.nodes()) {
          jobs.computeIfAbsent(node, any -> new ArrayList<>(1)).add(job);
        }
      }
    }
    return jobs.getOrDefault(name, List.of());
  }

  /** Of all nodes. */
  public Share cluster() {
    return groups().getOrDefault(CLUSTER, new Share(CLUSTER, 0, 0));
  }

  /** Of the partitions or node groups of a node, by name. */
  public List<Share> groupsOf(NodeState node) {
    return node.groups().stream().sorted().map(group -> of(groups(), group)).toList();
  }

  /** Of the NVLink domain of a node; empty if it has none, or it is unknown. */
  public Optional<Share> domainOf(NodeState node) {
    return Optional.of(node.more().nvlinkDomain())
        .filter(domain -> !domain.isEmpty())
        .map(domain -> of(domains(), domain));
  }

  /** Nodes in service without jobs in a partition or node group of the node, itself excepted. */
  public int idleBeside(NodeState node) {
    return (int)
        view.nodes().values().stream()
            .filter(other -> other.service() == Service.IN_SERVICE)
            .filter(other -> !other.name().equals(node.name()))
            .filter(other -> other.groups().stream().anyMatch(node.groups()::contains))
            .filter(other -> jobsOn(other.name()).isEmpty())
            .count();
  }

  private static Share of(Map<String, Share> shares, String name) {
    return shares.getOrDefault(name, new Share(name, 0, 0));
  }

  private Map<String, Share> groups() {
    if (groups == null) {
      Count count = new Count();
      for (NodeState node : view.nodes().values()) {
        count.add(node, CLUSTER);
        for (String group : node.groups()) {
          count.add(node, group);
        }
      }
      groups = count.shares();
    }
    return groups;
  }

  private Map<String, Share> domains() {
    if (domains == null) {
      Count count = new Count();
      for (NodeState node : view.nodes().values()) {
        count.add(node, node.more().nvlinkDomain());
      }
      domains = count.shares();
    }
    return domains;
  }

  /** Nodes out of service and all nodes, by the name of the group that they count for. */
  private static final class Count {
    private final Map<String, int[]> counts = new HashMap<>();

    void add(NodeState node, String name) {
      int[] count = counts.computeIfAbsent(name, any -> new int[2]);
      count[0] += node.service() == Service.IN_SERVICE ? 0 : 1;
      count[1]++;
    }

    Map<String, Share> shares() {
      Map<String, Share> shares = new HashMap<>();
      counts.forEach((name, count) -> shares.put(name, new Share(name, count[0], count[1])));
      return shares;
    }
  }
}
