package io.lapwing.drain.guard;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.policy.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether one more node may be taken. Never asked before a node is returned: that is no harm. */
public final class Guard {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Budget budget;

  public Guard(Budget budget) {
    this.budget = budget;
  }

  /**
   * What stands against taking a node now; empty if nothing does.
   *
   * @param held nodes that the controller holds
   * @param taken those that it took in the last hour or longer
   */
  public List<Objection> against(
      NodeName node, ClusterView cluster, Set<NodeName> held, Collection<Taken> taken) {
    List<Objection> against = new ArrayList<>();
    count(held).ifPresent(against::add);
    share(cluster).ifPresent(against::add);
    cluster.node(node).stream()
        .flatMap(state -> state.groups().stream().sorted())
        .flatMap(group -> shareOf(group, cluster).stream())
        .forEach(against::add);
    rate(cluster.at(), taken).ifPresent(against::add);
    gap(cluster.at(), taken).ifPresent(against::add);
    return against;
  }

  private Optional<Objection> count(Set<NodeName> held) {
    return held.size() < budget.nodes()
        ? Optional.empty()
        : Optional.of(
            new Objection(
                "budget.nodes",
                held.size() + " nodes are held, and " + budget.nodes() + " may be",
                "one is returned"));
  }

  private Optional<Objection> share(ClusterView cluster) {
    return beyond(
        "budget.share", "the cluster", budget.share(), List.copyOf(cluster.nodes().values()));
  }

  private Optional<Objection> shareOf(String group, ClusterView cluster) {
    List<NodeState> nodes =
        cluster.nodes().values().stream().filter(node -> node.groups().contains(group)).toList();
    return beyond("budget.group-share", group, budget.groupShare(), nodes);
  }

  private static Optional<Objection> beyond(
      String limit, String of, double share, List<NodeState> nodes) {
    int most = Budget.nodes(share, nodes.size());
    long out = nodes.stream().filter(node -> node.service() != Service.IN_SERVICE).count();
    return out < most
        ? Optional.empty()
        : Optional.of(
            new Objection(
                limit,
                out
                    + " of "
                    + nodes.size()
                    + " nodes of "
                    + of
                    + " are out of service, and "
                    + most
                    + " may be",
                "one is back in service"));
  }

  private Optional<Objection> rate(Instant now, Collection<Taken> taken) {
    List<Instant> recent =
        taken.stream().map(Taken::at).filter(at -> at.isAfter(now.minus(HOUR))).sorted().toList();
    return recent.size() < budget.perHour()
        ? Optional.empty()
        : Optional.of(
            new Objection(
                "budget.per-hour",
                recent.size() + " nodes were taken within an hour",
                recent.get(recent.size() - budget.perHour()).plus(HOUR).toString()));
  }

  private Optional<Objection> gap(Instant now, Collection<Taken> taken) {
    return taken.stream()
        .map(Taken::at)
        .max(Comparator.naturalOrder())
        .map(last -> last.plus(budget.gap()))
        .filter(now::isBefore)
        .map(
            next ->
                new Objection(
                    "budget.gap",
                    "a node was taken less than " + budget.gap() + " ago",
                    next.toString()));
  }
}
