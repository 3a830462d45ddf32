package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ranks of this node that start no further operations. RAS counts five operations and no AlltoAll,
 * no send and no receive: while data moves, unchanged counts do not indicate a stall. A
 * communicator of which {@link RankBehind} names the rank has no second finding.
 */
final class CollectivesStalled implements NcclRule {

  private static final String STILL = "still_seconds";

  private static final String ALL =
      "No rank here is behind the others: either all wait for one on another node, or the job does something that needs no communication.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nccl_collectives_still")
        .about("Ranks on this node no longer start collective operations.")
        .why(
            "The others have started an operation that this rank has not, and wait. RAS counts AllReduce, AllGather, ReduceScatter, Reduce and Broadcast only, so there is no finding while data moves. Look at the rank that lags: its process first, then its GPU and its network.")
        .document("NCCL user guide, RAS: collective_counts")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofMinutes(1))
        .threshold(STILL, 300, 60, 86_400, "seconds")
        .meaning(
            "Minimum time without a new operation; Lapwing's own choice, above what a checkpoint or an evaluation usually takes.")
        .needs(NcclMetrics.COLLECTIVES_STILL, NcclMetrics.COLLECTIVES_BEHIND)
        .reads(
            Stream.concat(
                    RingHangs.READS.stream(),
                    Stream.of(NcclMetrics.COLLECTIVES, NcclMetrics.RANK_ASYNC_ERROR))
                .toArray(Metric[]::new))
        .trends(UncountedTraffic.counters())
        .build();
  }

  @Override
  public Map<String, List<Metric>> trends() {
    return UncountedTraffic.trends();
  }

  /** By communicator and rank. */
  @Override
  public Optional<Detection> evaluate(Values ras, NodeSnapshot view, RulePolicy policy) {
    Map<List<String>, Double> still = ras.all(NcclMetrics.COLLECTIVES_STILL);
    Map<List<String>, Double> behind = ras.all(NcclMetrics.COLLECTIVES_BEHIND);
    double least = policy.threshold(STILL);
    Set<String> named = RingHangs.communicators(view, ras);
    UncountedTraffic traffic = new UncountedTraffic(view, ras, least);
    Optional<Map.Entry<List<String>, Double>> last =
        behind.entrySet().stream()
            .filter(rank -> rank.getValue() > 0)
            .filter(rank -> !named.contains(rank.getKey().get(0)))
            .filter(rank -> still.getOrDefault(rank.getKey(), 0.0) >= least)
            .filter(rank -> !traffic.isOf(rank.getKey()))
            .max(Map.Entry.comparingByValue());
    if (last.isPresent()) {
      List<String> rank = last.get().getKey();
      return Optional.of(
          lags(rank, last.get().getValue(), still.getOrDefault(rank, least), policy));
    }
    double shortest = still.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    return named.isEmpty()
            && shortest >= least
            && !ras.all(NcclMetrics.COLLECTIVES).isEmpty()
            && !traffic.isOfNode()
        ? Optional.of(allStand(shortest, policy))
        : Optional.empty();
  }

  private static Detection lags(List<String> rank, double behind, double still, RulePolicy policy) {
    return detection(
        "rank %s of communicator %s has started no operation for %s and is %s behind"
            .formatted(rank.get(1), rank.get(0), time(still), RuleText.number(behind)),
        policy);
  }

  private static Detection allStand(double still, RulePolicy policy) {
    Detection detection =
        detection("no rank on this node has started an operation for " + time(still), policy);
    return detection.withForm(Disposition.info(), ALL);
  }

  private static String time(double seconds) {
    return RuleText.duration(Duration.ofSeconds((long) seconds));
  }

  private static Detection detection(String what, RulePolicy policy) {
    return policy.detection(
        Subject.NODE, what, NcclMetrics.COLLECTIVES_STILL, NcclMetrics.COLLECTIVES_BEHIND);
  }
}
