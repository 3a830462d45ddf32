package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job of which no rank can be found to be slow: its ranks report no compute time, or one that is
 * all of the step and so includes waiting for other ranks, as a clock around backward does in
 * synchronous training, and their collectives are not compared either.
 */
final class StragglersUnknown implements TrainingRule {

  private static final String SHARE = "least_share";
  private static final String LEAST_RANKS = "least_ranks";
  private static final String LEAST_STEPS = "least_steps";

  private static final String REMEDY =
      "; in PyTorch Loop(loader, model=ddp) or lapwing_steps.pytorch.watch(ddp) measures it, and without a change of the loop NCCL_PROFILER_PLUGIN=/usr/lib/lapwing/nccl/liblapwing-nccl.so shows who comes last";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_stragglers_unknown")
        .about("A slow rank of a training job would not be found on this node.")
        .why(
            "In synchronous training all ranks have the same step time. Only its own work, apart from waiting for other ranks, or the collectives that it enters last, show that a rank is slow.")
        .document("Lapwing; docs/training.md, Own work and waiting")
        .disposition(Disposition.info())
        .openAfter(Duration.ofMinutes(3))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(SHARE, 0.95, 0.5, 1, "ratio")
        .meaning(
            "Share of the step without data wait from which compute time includes waiting, where no communication is reported; Lapwing's own choice.")
        .threshold(LEAST_RANKS, 3, 2, 1000, "ranks")
        .meaning("Minimum number of ranks of a job, as of training_straggler.")
        .threshold(LEAST_STEPS, 10, 1, 1e6, "steps")
        .meaning("Minimum number of steps of a rank to be evaluated; Lapwing's own choice.")
        .needs(TrainingMetrics.STEP_SECONDS)
        .reads(
            Stream.concat(
                    LateRanks.READS.stream(),
                    Stream.of(
                        TrainingMetrics.STEPS,
                        TrainingMetrics.COMPUTE_SECONDS,
                        TrainingMetrics.DATA_WAIT_SECONDS,
                        TrainingMetrics.COMMUNICATION_WAIT_SECONDS,
                        TrainingMetrics.OWNER))
                .toArray(Metric[]::new))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Set<String> compared = LateRanks.compared(view);
    return RankStatus.byJob(RankStatus.all(view)).stream()
        .filter(ranks -> ranks.stream().filter(rank -> compared.contains(rank.pid())).count() < 2)
        .flatMap(ranks -> evaluate(ranks, policy).stream())
        .toList();
  }

  private static List<Detection> evaluate(List<RankStatus> job, RulePolicy policy) {
    List<RankStatus> ranks =
        job.stream()
            .filter(rank -> rank.value(TrainingMetrics.STEPS) >= policy.threshold(LEAST_STEPS))
            .filter(rank -> rank.value(TrainingMetrics.STEP_SECONDS) > 0)
            .toList();
    long apart = ranks.stream().filter(rank -> isApart(rank, policy)).count();
    double least = policy.threshold(LEAST_RANKS);
    return ranks.size() < least || apart >= least
        ? List.of()
        : List.of(
            policy.detection(
                new Subject.Part(TrainingSource.KIND, job.get(0).job()),
                what(ranks, apart),
                TrainingMetrics.COMPUTE_SECONDS,
                TrainingMetrics.STEP_SECONDS));
  }

  private static String what(List<RankStatus> ranks, long apart) {
    boolean silent =
        ranks.stream().allMatch(rank -> Double.isNaN(rank.value(TrainingMetrics.COMPUTE_SECONDS)));
    return (silent
            ? "its %s ranks here report no compute time".formatted(ranks.size())
            : "%s of its %s ranks here report compute time apart from waiting for other ranks"
                .formatted(apart, ranks.size()))
        + REMEDY;
  }

  private static boolean isApart(RankStatus rank, RulePolicy policy) {
    double compute = rank.value(TrainingMetrics.COMPUTE_SECONDS);
    double data = or0(rank, TrainingMetrics.DATA_WAIT_SECONDS);
    boolean waits = !Double.isNaN(rank.value(TrainingMetrics.COMMUNICATION_WAIT_SECONDS));
    double rest = rank.value(TrainingMetrics.STEP_SECONDS) - data;
    return compute >= 0 && (waits || compute < policy.threshold(SHARE) * rest);
  }

  private static double or0(RankStatus rank, Metric metric) {
    double value = rank.value(metric);
    return Double.isNaN(value) ? 0 : value;
  }
}
