package io.lapwing.drain.jobs;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Works out the {@link BlastRadius} of a node. */
public final class Appraiser {

  private final CheckpointFacts facts;
  private final Prices prices;
  private final WaitRule rule;

  public Appraiser(CheckpointFacts facts, Prices prices, WaitRule rule) {
    this.facts = facts;
    this.prices = prices;
    this.rule = rule;
  }

  /**
   * Of a node with that finding.
   *
   * @param hazard how often a node with it fails by itself, per hour
   * @param blocked what would keep work from leaving the node, by its scheduler
   */
  public BlastRadius of(
      NodeState node,
      ClusterIndex cluster,
      OptionalDouble hazard,
      List<String> blocked,
      Instant now) {
    List<JobAtStake> jobs =
        cluster.jobsOn(node.name()).stream().map(job -> of(job, cluster, hazard, now)).toList();
    List<Share> shares = new ArrayList<>(cluster.groupsOf(node));
    cluster.domainOf(node).ifPresent(shares::add);
    return new BlastRadius(jobs, shares, cluster.idleBeside(node), blocked, node.others());
  }

  private JobAtStake of(Job job, ClusterIndex cluster, OptionalDouble hazard, Instant now) {
    JobProgress progress = facts.of(job);
    OptionalInt gpus = job.gpus() > 0 ? OptionalInt.of(job.gpus()) : OptionalInt.empty();
    Costs costs = rule.costs(progress, hazard, now);
    OptionalDouble price = price(job, cluster);
    return new JobAtStake(
        job.id(),
        job.user(),
        job.nodes().size(),
        gpus,
        progress.durable(),
        loss(costs.now(), gpus, price),
        loss(costs.atCheckpoint(), gpus, price),
        costs.next());
  }

  private static Loss loss(OptionalDouble hours, OptionalInt gpus, OptionalDouble price) {
    return hours.isEmpty() || gpus.isEmpty()
        ? Loss.UNKNOWN
        : Loss.of(hours.getAsDouble() * gpus.getAsInt(), price);
  }

  /** Known if all of its nodes are of one known type: a mean would hide unknown ones. */
  private OptionalDouble price(Job job, ClusterIndex cluster) {
    Set<String> types = new HashSet<>();
    job.nodes().forEach(name -> types.add(type(cluster.node(name))));
    return types.size() == 1 ? prices.of(types.iterator().next()) : OptionalDouble.empty();
  }

  private static String type(Optional<NodeState> node) {
    return node.map(known -> known.more().instanceType()).orElse("");
  }
}
