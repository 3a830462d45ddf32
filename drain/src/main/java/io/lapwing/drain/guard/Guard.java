package io.lapwing.drain.guard;

import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Share;
import io.lapwing.drain.policy.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether one more node may be taken. Never limits the return of a node, which does no harm. */
public final class Guard {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final String ONE_IS_BACK = "one is back in service";

  private final Budget budget;

  public Guard(Budget budget) {
    this.budget = budget;
  }

  /**
   * The objections to taking a node now; empty if there are none. The cluster is counted only if
   * the controller's own numbers permit one more.
   *
   * @param held nodes that the controller holds
   * @param taken those that it took in the last hour or longer
   */
  public List<Objection> against(
      NodeState node, ClusterIndex cluster, Set<NodeName> held, Collection<Taken> taken) {
    Instant now = cluster.view().at();
    List<Job> jobs = cluster.jobsOn(node.name());
    List<Objection> against = new ArrayList<>();
    count(held).ifPresent(against::add);
    rate(now, taken).ifPresent(against::add);
    if (jobs.isEmpty() || !jobs.stream().allMatch(job -> hurt(job, held, cluster))) {
      gap(now, taken).ifPresent(against::add);
    }
    jobs.stream().flatMap(job -> job(job, node, cluster).stream()).forEach(against::add);
    if (against.isEmpty()) {
      share("budget.share", budget.share(), cluster.cluster()).ifPresent(against::add);
      cluster.groupsOf(node).stream()
          .flatMap(group -> share("budget.group-share", budget.groupShare(), group).stream())
          .forEach(against::add);
      cluster.domainOf(node).flatMap(this::domain).ifPresent(against::add);
    }
    return against;
  }

  private Optional<Objection> count(Set<NodeName> held) {
    return held.size() < budget.nodes()
        ? Optional.empty()
        : Optional.of(
            new Objection(
                "budget.nodes",
                PlainText.count(held.size(), "node") + " held, at most " + budget.nodes(),
                "one is returned"));
  }

  private static Optional<Objection> share(String limit, double share, Share of) {
    return beyond(limit, of, Budget.nodes(share, of.all()));
  }

  private Optional<Objection> domain(Share domain) {
    return beyond("budget.domain-nodes", domain, budget.domainNodes());
  }

  private Optional<Objection> job(Job job, NodeState node, ClusterIndex cluster) {
    int out =
        (int)
            job.nodes().stream()
                .filter(other -> !other.equals(node.name()))
                .flatMap(other -> cluster.node(other).stream())
                .filter(other -> other.service() != Service.IN_SERVICE)
                .count();
    return beyond(
        "budget.job-nodes",
        new Share("job " + job.id(), out, job.nodes().size()),
        budget.jobNodes());
  }

  /** Whether a node of the job is really ours: a commanded drain may not have been carried out. */
  private static boolean hurt(Job job, Set<NodeName> held, ClusterIndex cluster) {
    return job.nodes().stream()
        .filter(held::contains)
        .flatMap(name -> cluster.node(name).stream())
        .anyMatch(NodeState::isOurs);
  }

  private static Optional<Objection> beyond(String limit, Share share, int most) {
    return share.out() < most
        ? Optional.empty()
        : Optional.of(
            new Objection(
                limit,
                share.out()
                    + " of "
                    + PlainText.count(share.all(), "node")
                    + " of "
                    + share.of()
                    + " are out of service, and "
                    + most
                    + " may be",
                ONE_IS_BACK));
  }

  private Optional<Objection> rate(Instant now, Collection<Taken> taken) {
    return rate("budget.per-hour", "drain", budget.perHour(), now, taken);
  }

  private static Optional<Objection> rate(
      String limit, String what, int most, Instant now, Collection<Taken> taken) {
    List<Instant> recent =
        taken.stream().map(Taken::at).filter(at -> at.isAfter(now.minus(HOUR))).sorted().toList();
    return recent.size() < most
        ? Optional.empty()
        : Optional.of(
            new Objection(
                limit,
                PlainText.count(recent.size(), what) + " within an hour",
                recent.get(recent.size() - most).plus(HOUR).toString()));
  }

  /**
   * The objections to one more replacement; empty if there are none.
   *
   * @param replaced replacements that were begun in the last hour or longer
   */
  public Optional<Objection> againstReplacement(Instant now, Collection<Taken> replaced) {
    return rate(
        "budget.replacements-per-hour", "replacement", budget.replacementsPerHour(), now, replaced);
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
                    "a node was taken less than " + TimeText.exact(budget.gap()) + " ago",
                    next.toString()));
  }
}
