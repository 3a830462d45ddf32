package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rank that the others wait for: it computes longer than its siblings by their step files, or it
 * comes last in collectives by the rings of NCCL's profiler plugin. A rank has one finding.
 */
final class TrainingStraggler implements TrainingRule {

  static final String RATIO = "times_median";
  static final String LEAST_RANKS = "least_ranks";
  static final String LEAST_STEPS = "least_steps";
  static final String LATE_SHARE = "late_share";
  static final String LEAST_COLLECTIVES = "least_collectives";

  /** Half of it has to be measured: a slow rank is named within three minutes of its first step. */
  static final Duration WINDOW = Duration.ofMinutes(4);

  /** Of compute time, if the steps are too few in the other. */
  static final Duration LONG_WINDOW = Trends.LONGEST;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_straggler")
        .about(
            "A rank of a training job computes longer than its siblings on this node, or enters collectives after them.")
        .why(
            "All other ranks wait for it. Its GPU may be slower than its siblings, or its share of the work larger; these figures cannot distinguish the two.")
        .document(
            "Lapwing; compute time of each rank's own steps, and durations of the same collective")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofSeconds(10))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(RATIO, 1.15, 1.01, 100, "ratio")
        .meaning(
            "Compute time of a step over 4 minutes, 10 if the steps are long, divided by the median of the siblings, above which a rank is slow; Lapwing's own choice.")
        .threshold(LEAST_RANKS, 3, 2, 1000, "ranks")
        .meaning(
            "Minimum number of ranks of one job and stage for a comparison; Lapwing's own choice.")
        .threshold(LEAST_STEPS, 10, 1, 1e6, "steps")
        .meaning(
            "Minimum number of steps for a rank to be compared, in 4 minutes or, if there are fewer, in 10; Lapwing's own choice.")
        .threshold(LATE_SHARE, 0.05, 0.001, 1, "ratio")
        .meaning(
            "Share of the time in which collectives wait for a rank, above the median of the communicator here, from which it is late; half of it in each third of the 4 minutes. Lapwing's own choice.")
        .threshold(LEAST_COLLECTIVES, 10, 1, 1e9, "collectives")
        .meaning("Minimum number of compared collectives in 4 minutes; Lapwing's own choice.")
        .needs(TrainingMetrics.COMPUTE_SECONDS, RingMetrics.LATE)
        .reads(
            Stream.of(
                    LateRanks.READS,
                    SlowSigns.READS,
                    List.of(TrainingMetrics.INFO, TrainingMetrics.VERIFIED, TrainingMetrics.OWNER))
                .flatMap(List::stream)
                .distinct()
                .toArray(Metric[]::new))
        .trends(trends().values().stream().flatMap(List::stream).distinct().toArray(Metric[]::new))
        .build();
  }

  @Override
  public Map<String, List<Metric>> trends() {
    List<Metric> ofRanks =
        new ArrayList<>(List.of(TrainingMetrics.COMPUTE_SECONDS, TrainingMetrics.STEPS));
    ofRanks.addAll(SlowSigns.OF_RANKS);
    return Map.of(
        TrainingSource.KIND,
        List.copyOf(ofRanks),
        RingSource.COLLECTOR,
        LateRanks.TRENDS,
        Subject.Gpu.KIND,
        SlowSigns.OF_GPUS);
  }

  /** Step files and rings are in one folder. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return TrainingRule.super.canEvaluate(subject, view)
        || TrainingRule.super.canEvaluate(Subject.of(RingSource.COLLECTOR, ""), view);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> all = new ArrayList<>(ComputeTime.slow(view, policy));
    Set<Subject> slow = all.stream().map(Detection::subject).collect(Collectors.toSet());
    LateRanks.slow(view, policy).stream()
        .filter(late -> !slow.contains(late.subject()))
        .forEach(all::add);
    return all;
  }
}
