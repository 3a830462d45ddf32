package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Counts what the controller does against its limits, from what is true of the cluster. */
final class LimitOracle {

  private final Budget budget;
  private final int restarts;
  private final FakeCluster cluster;
  private final Deque<Instant> taken = new ArrayDeque<>();
  private final Deque<Instant> replaced = new ArrayDeque<>();
  private final Map<String, Integer> ended = new HashMap<>();

  LimitOracle(Policy policy, FakeCluster cluster) {
    this.budget = policy.budget();
    this.restarts = policy.waits().restarts();
    this.cluster = cluster;
  }

  /** What is exceeded by taking one more. */
  List<String> taking(FakeNode node) {
    List<String> exceeded = new ArrayList<>();
    if (cluster.held().stream().filter(cluster.handedOver.negate()).count() >= budget.nodes()) {
      exceeded.add("budget.nodes");
    }
    share("budget.share", budget.share(), any -> true, exceeded);
    share(
        "budget.group-share",
        budget.groupShare(),
        other -> other.groups.equals(node.groups),
        exceeded);
    most("budget.domain-nodes", budget.domainNodes(), o -> o.domain.equals(node.domain), exceeded);
    for (Job job : cluster.jobsNow()) {
      if (job.nodes().contains(node.name)) {
        most("budget.job-nodes", budget.jobNodes(), o -> job.nodes().contains(o.name), exceeded);
      }
    }
    while (!taken.isEmpty() && !taken.peek().isAfter(cluster.now.minus(Duration.ofHours(1)))) {
      taken.remove();
    }
    if (taken.size() >= budget.perHour()) {
      exceeded.add("budget.per-hour");
    }
    if (!taken.isEmpty()
        && taken.getLast().plus(budget.gap()).isAfter(cluster.now)
        && cluster.jobsNow().stream().noneMatch(job -> hurt(job, node, cluster))) {
      exceeded.add("budget.gap");
    }
    taken.add(cluster.now);
    return exceeded;
  }

  /** Whether the job of a node has another one that is ours already. */
  private static boolean hurt(Job job, FakeNode node, FakeCluster cluster) {
    return job.nodes().contains(node.name)
        && job.nodes().stream().map(cluster::at).anyMatch(FakeCluster::ours);
  }

  private void share(String limit, double share, Predicate<FakeNode> which, List<String> exceeded) {
    int all = (int) cluster.all().stream().filter(which).count();
    most(limit, Math.max(1, (int) Math.floor(share * all + 1e-6)), which, exceeded);
  }

  private void most(String limit, int most, Predicate<FakeNode> which, List<String> exceeded) {
    long out =
        cluster.all().stream()
            .filter(which)
            .filter(node -> node.service != Service.IN_SERVICE)
            .count();
    if (out >= most) {
      exceeded.add(limit + ": " + out + " are out already");
    }
  }

  /** What is exceeded by replacing one more. */
  List<String> replacing() {
    replaced.removeIf(at -> !at.isAfter(cluster.now.minus(Duration.ofHours(1))));
    boolean exceeded = replaced.size() >= budget.replacementsPerHour();
    replaced.add(cluster.now);
    return exceeded ? List.of("budget.replacements-per-hour") : List.of();
  }

  /** What is exceeded by ending a job once more. */
  List<String> ending(Job job) {
    return ended.merge(job.id(), 1, Integer::sum) > restarts
        ? List.of("job " + job.id() + " is ended too often")
        : List.of();
  }
}
