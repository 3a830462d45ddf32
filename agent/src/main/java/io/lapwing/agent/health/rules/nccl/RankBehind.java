package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Ranks of this node that take no part in a collective which other ranks of this node wait in, by
 * the rings of Lapwing's profiler plugin for NCCL.
 */
final class RankBehind implements HealthRule {

  private static final String BEHIND = "behind_seconds";
  private static final String PAUSE = "pause_seconds";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nccl_rank_behind")
        .about("A rank on this node does not take part in a collective in which others here wait.")
        .why(
            "All other ranks of the communicator wait until the job's own watchdog ends it. Look at this rank: its process if it has not entered the collective, its GPU if that has not started it. A program that saves, evaluates or compiles on one rank only looks the same, and a process that hangs does not indicate a fault of this node.")
        .document(
            "Lapwing; NCCL's profiler plugin interface: collectives enqueued and kernels started")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofSeconds(10))
        .threshold(BEHIND, RingHangs.LASTING, 10, 86_400, "seconds")
        .meaning(
            "Time for which others have been in the collective, since the rank's current phase began if its step file reports one; Lapwing's own choice: far above any collective, below a watchdog's ten minutes.")
        .threshold(PAUSE, 1800, 10, 86_400, "seconds")
        .meaning(
            "The same while the step file of the rank reports an evaluation or a checkpoint; as of training_stall.")
        .needs(RingMetrics.PROCESSES)
        .reads(
            Stream.concat(
                    RingHangs.READS.stream(),
                    Stream.of(TrainingMetrics.PHASE, TrainingMetrics.PHASE_TIME))
                .toArray(Metric[]::new))
        .build();
  }

  @Override
  public String kind() {
    return RingSource.COLLECTOR;
  }

  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return HealthRule.super.canEvaluate(Subject.of(kind(), ""), view);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Values values = RingRank.values(view);
    Map<List<String>, List<RingHangs.Behind>> jobs = new LinkedHashMap<>();
    RingHangs.causes(view, policy.threshold(BEHIND)).stream()
        .filter(one -> one.isGone() || inPhase(one, view) >= limit(one, policy))
        .forEach(
            one ->
                jobs.computeIfAbsent(
                        List.of(one.rank().owner(), one.rank().job()), unseen -> new ArrayList<>())
                    .add(one));
    return jobs.values().stream().map(behind -> detection(behind, values, view, policy)).toList();
  }

  /**
   * Seconds behind in the phase that the loop reports now: a pause that has ended does not count.
   */
  private static double inPhase(RingHangs.Behind one, NodeSnapshot view) {
    double now = view.now().toEpochMilli() / 1e3;
    return one.rank().stepRank().stream()
        .flatMapToDouble(part -> part.values().get(TrainingMetrics.PHASE_TIME).stream())
        .map(since -> Math.max(0, now - since))
        .reduce(one.seconds(), Math::min);
  }

  private static double limit(RingHangs.Behind one, RulePolicy policy) {
    boolean pauses =
        one.rank().stepRank().stream()
            .anyMatch(
                part ->
                    part.values().isSet(TrainingMetrics.PHASE, "checkpoint")
                        || part.values().isSet(TrainingMetrics.PHASE, "evaluation"));
    return policy.threshold(pauses ? PAUSE : BEHIND);
  }

  private static Detection detection(
      List<RingHangs.Behind> behind, Values values, NodeSnapshot view, RulePolicy policy) {
    RingHangs.Behind first = behind.get(0);
    double longest = behind.stream().mapToDouble(RingHangs.Behind::seconds).max().orElse(0);
    long processes = behind.stream().map(one -> one.rank().pid()).distinct().count();
    Subject subject =
        processes == 1
            ? first.rank().subject()
            : new Subject.Part(TrainingSource.KIND, first.rank().job());
    return policy
        .detection(
            subject,
            RingHangs.words(behind, values),
            RingMetrics.BEHIND,
            RingMetrics.BEHIND_SEQUENCE,
            RingMetrics.IN_FLIGHT)
        .withTimes(view.now().minusMillis((long) (1e3 * longest)), view.now(), 1);
  }
}
