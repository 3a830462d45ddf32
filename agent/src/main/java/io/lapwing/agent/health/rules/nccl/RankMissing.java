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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ranks whose process cannot be reached. A reachable non-member is joining or leaving. A
 * communicator of which {@link RankBehind} names the rank has no second finding.
 */
final class RankMissing implements NcclRule {

  private static final String ELSEWHERE =
      "The process runs on another node of the job; this node only waits for it.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nccl_rank_missing")
        .about("A process of this node's job does not answer NCCL.")
        .why(
            "All other ranks wait for a missing one until the job's own watchdog ends it. The missing process hangs, was stopped or has ended, which alone is not a hardware fault.")
        .document("NCCL user guide, RAS: missing_ranks, unresponsive, considered_dead")
        .disposition(Disposition.EXTERNAL)
        .openAfter(Duration.ofSeconds(90))
        .closeAfter(Duration.ofMinutes(2))
        .needs(NcclMetrics.UNRESPONSIVE_RANKS)
        .reads(
            Stream.concat(
                    RingHangs.READS.stream(),
                    Stream.of(
                        NcclMetrics.MISSING_RANKS_HERE,
                        NcclMetrics.DEAD_RANKS,
                        NcclMetrics.RANKS,
                        NcclMetrics.RANK_ASYNC_ERROR))
                .toArray(Metric[]::new))
        .build();
  }

  /** A missing rank is reported by all of its communicators; the largest one covers them all. */
  @Override
  public Optional<Detection> evaluate(Values ras, NodeSnapshot view, RulePolicy policy) {
    Set<String> named = RingHangs.communicators(view, ras);
    return ras.all(NcclMetrics.UNRESPONSIVE_RANKS).entrySet().stream()
        .filter(comm -> comm.getValue() > 0)
        .filter(comm -> !named.contains(comm.getKey().get(0)))
        .max(
            Comparator.comparingDouble((Map.Entry<List<String>, Double> comm) -> comm.getValue())
                .thenComparing(comm -> comm.getKey().get(0)))
        .map(comm -> detection(comm.getKey().get(0), comm.getValue(), ras, policy));
  }

  private static Detection detection(String comm, double missing, Values ras, RulePolicy policy) {
    double dead = ras.get(NcclMetrics.DEAD_RANKS, comm).orElse(0);
    double here = ras.get(NcclMetrics.MISSING_RANKS_HERE, comm).orElse(0);
    String size =
        ras.get(NcclMetrics.RANKS, comm).stream()
            .mapToObj(all -> " of " + RuleText.number(all))
            .findFirst()
            .orElse("");
    Detection detection =
        policy.detection(
            Subject.NODE,
            RuleText.count(missing, "rank")
                + size
                + " cannot be reached on communicator "
                + comm
                + (dead > 0 ? ", " + RuleText.number(dead) + " given up by NCCL" : "")
                + (here > 0
                    ? "; " + RuleText.number(here) + " on this node"
                    : "; none on this node"),
            NcclMetrics.UNRESPONSIVE_RANKS,
            NcclMetrics.MISSING_RANKS_HERE);
    return here > 0 ? detection : detection.withForm(Disposition.info(), ELSEWHERE);
  }
}
