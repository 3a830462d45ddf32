package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job of which no rank can be found to be slow: its ranks report no compute time, or one that is
 * all of the step and so includes waiting for other ranks, as a clock around backward does in
 * synchronous training, or they are too few of a pipeline stage or take too long a step to be
 * compared, and their collectives are not compared either.
 */
final class StragglersUnknown implements TrainingRule {

  private static final String SHARE = "least_share";
  private static final String LEAST_RANKS = "least_ranks";
  private static final String LEAST_STEPS = "least_steps";

  private static final String MEASURE =
      "in PyTorch Loop(loader, model=ddp) or lapwing_steps.pytorch.watch(ddp) measures it";
  private static final String COMPARE_TWO =
      "least_ranks 2 in the thresholds of training_straggler and of this rule compares two of a stage";
  private static final String COMPARE_FEWER =
      "a lower least_steps in the thresholds of both rules compares fewer steps";
  private static final String PLUGIN =
      ", and without a change of the loop NCCL_PROFILER_PLUGIN=/usr/lib/lapwing/nccl/liblapwing-nccl.so shows who comes last";

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
        .meaning(
            "Minimum number of ranks of one job and stage for a comparison, as of training_straggler: change both.")
        .threshold(LEAST_STEPS, 10, 1, 1e6, "steps")
        .meaning(
            "Minimum number of steps of a rank to be evaluated, and to be compared in 10 minutes, as of training_straggler: change both.")
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
        .trends(TrainingMetrics.STEPS)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Set<String> compared = LateRanks.compared(view);
    return RankStatus.byJob(RankStatus.all(view)).stream()
        .flatMap(ranks -> evaluate(ranks, compared, view, policy).stream())
        .toList();
  }

  private static List<Detection> evaluate(
      List<RankStatus> job, Set<String> compared, NodeSnapshot view, RulePolicy policy) {
    List<RankStatus> ranks =
        job.stream()
            .filter(rank -> rank.value(TrainingMetrics.STEPS) >= policy.threshold(LEAST_STEPS))
            .filter(rank -> rank.value(TrainingMetrics.STEP_SECONDS) > 0)
            .toList();
    if (ranks.size() < policy.threshold(LEAST_RANKS)) {
      return List.of();
    }
    List<List<RankStatus>> stages = RankStatus.byStage(ranks);
    List<String> reasons = reasons(stages, compared, view, policy);
    return reasons.isEmpty()
        ? List.of()
        : List.of(
            policy.detection(
                RankStatus.ofJob(job.get(0).job(), job.get(0).run(), view),
                String.join("; ", reasons) + PLUGIN,
                TrainingMetrics.COMPUTE_SECONDS,
                TrainingMetrics.STEP_SECONDS));
  }

  /** Why stages are not compared, and then what would change each; empty if all are. */
  private static List<String> reasons(
      List<List<RankStatus>> stages, Set<String> compared, NodeSnapshot view, RulePolicy policy) {
    List<List<RankStatus>> unseen =
        stages.stream().filter(stage -> !hasCollectives(stage, compared)).toList();
    double least = policy.threshold(LEAST_RANKS);
    List<RankStatus> mixed =
        unseen.stream()
            .filter(stage -> apart(stage, policy) < Math.min(least, stage.size()))
            .flatMap(List::stream)
            .toList();
    long few = unseen.stream().filter(stage -> stage.size() < least).count();
    double longest =
        unseen.stream()
            .flatMap(List::stream)
            .filter(rank -> hasLongSteps(rank, view, policy))
            .mapToDouble(StragglersUnknown::meanStep)
            .max()
            .orElse(0);
    List<String> reasons = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    if (!mixed.isEmpty()) {
      reasons.add(mixed(mixed, apart(mixed, policy)));
      remedies.add(MEASURE);
    }
    if (few > 0) {
      reasons.add(
          "%s of its %s pipeline stages have fewer than %.0f ranks here, too few to compare"
              .formatted(few, stages.size(), least));
      remedies.add(COMPARE_TWO);
    }
    if (longest > 0) {
      reasons.add(
          "fewer than %.0f steps in %s, since one takes %s"
              .formatted(
                  policy.threshold(LEAST_STEPS),
                  RuleText.duration(TrainingStraggler.LONG_WINDOW),
                  TrainingRule.seconds(longest)));
      remedies.add(COMPARE_FEWER);
    }
    reasons.addAll(remedies);
    return reasons;
  }

  /** Whether the collectives of two ranks are compared, or of the only one, with other stages. */
  private static boolean hasCollectives(List<RankStatus> stage, Set<String> compared) {
    return stage.stream().filter(rank -> compared.contains(rank.pid())).count()
        >= Math.min(2, stage.size());
  }

  private static long apart(List<RankStatus> ranks, RulePolicy policy) {
    return ranks.stream().filter(rank -> isApart(rank, policy)).count();
  }

  /** Few steps in the window; not those of a loop that evaluates, or has stopped. */
  private static boolean hasLongSteps(RankStatus rank, NodeSnapshot view, RulePolicy policy) {
    double least = policy.threshold(LEAST_STEPS);
    double window = TrainingStraggler.LONG_WINDOW.toSeconds();
    double steps =
        ComputeTime.grown(rank, view, TrainingMetrics.STEPS, TrainingStraggler.LONG_WINDOW)
            .orElse(least);
    double covered =
        view.trends()
            .covered(
                rank.part().key(), TrainingMetrics.STEPS, List.of(), TrainingStraggler.LONG_WINDOW);
    return steps * window < least * covered && 2 * least * meanStep(rank) >= window;
  }

  private static double meanStep(RankStatus rank) {
    return rank.value(TrainingMetrics.STEP_SECONDS) / rank.value(TrainingMetrics.STEPS);
  }

  private static String mixed(List<RankStatus> ranks, long apart) {
    boolean silent =
        ranks.stream().allMatch(rank -> Double.isNaN(rank.value(TrainingMetrics.COMPUTE_SECONDS)));
    return silent
        ? "its %s ranks here report no compute time".formatted(ranks.size())
        : "%s of its %s ranks here report compute time apart from waiting for other ranks"
            .formatted(apart, ranks.size());
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
