package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Ranks that compute longer than their siblings, by their step files. Steps of synchronous training
 * last equally long, so compute time is compared, among ranks of one pipeline stage.
 */
final class ComputeTime {

  private ComputeTime() {}

  /** Of a window. */
  private static final int PARTS = 3;

  /** With steps. */
  private static final int LEAST_PARTS = 2;

  /**
   * A rank's compute time for a step, in seconds.
   *
   * @param covered seconds of the window in which it was watched
   * @param parts the same in each third of the window, the oldest first; NaN without a step
   */
  private record Pace(RankStatus rank, double compute, double covered, List<Double> parts) {}

  /** The growth of two counters. */
  private record Growth(double steps, double compute) {

    static final Growth NONE = new Growth(0, 0);

    double each(Growth before) {
      double more = steps - before.steps;
      return more > 0 ? (compute - before.compute) / more : Double.NaN;
    }
  }

  static List<Detection> slow(NodeSnapshot view, RulePolicy policy) {
    return RankStatus.byStage(RankStatus.all(view)).stream()
        .flatMap(stage -> ofStage(stage, view, policy).stream())
        .toList();
  }

  /** The longer window has enough of long steps. */
  private static List<Detection> ofStage(
      List<RankStatus> stage, NodeSnapshot view, RulePolicy policy) {
    for (Duration window : List.of(TrainingStraggler.WINDOW, TrainingStraggler.LONG_WINDOW)) {
      List<Pace> paces =
          stage.stream().flatMap(rank -> pace(rank, view, window, policy).stream()).toList();
      if (paces.size() >= policy.threshold(TrainingStraggler.LEAST_RANKS)) {
        return slow(paces, view, policy);
      }
    }
    return List.of();
  }

  private static Optional<Pace> pace(
      RankStatus rank, NodeSnapshot view, Duration window, RulePolicy policy) {
    return growth(rank, view, window)
        .filter(whole -> whole.steps() >= policy.threshold(TrainingStraggler.LEAST_STEPS))
        .map(whole -> pace(rank, whole, view, window));
  }

  private static Pace pace(RankStatus rank, Growth whole, NodeSnapshot view, Duration window) {
    double covered =
        view.trends().covered(rank.part().key(), TrainingMetrics.STEPS, List.of(), window);
    List<Double> parts = new ArrayList<>();
    Growth longer = whole;
    for (int left = PARTS - 1; left >= 0; left--) {
      Duration shorter = Duration.ofMillis(Math.round(1e3 * covered * left / PARTS));
      Growth after = left == 0 ? Growth.NONE : growth(rank, view, shorter).orElse(Growth.NONE);
      parts.add(longer.each(after));
      longer = after;
    }
    return new Pace(rank, whole.each(Growth.NONE), covered, parts);
  }

  private static Optional<Growth> growth(RankStatus rank, NodeSnapshot view, Duration window) {
    OptionalDouble steps = grown(rank, view, TrainingMetrics.STEPS, window);
    OptionalDouble compute = grown(rank, view, TrainingMetrics.COMPUTE_SECONDS, window);
    return steps.isPresent() && compute.isPresent()
        ? Optional.of(new Growth(steps.getAsDouble(), compute.getAsDouble()))
        : Optional.empty();
  }

  /** A counter's increase; empty if less than half of the window was watched. */
  static OptionalDouble grown(RankStatus rank, NodeSnapshot view, Metric counter, Duration window) {
    return view.trends().increase(rank.part().key(), counter, List.of(), window);
  }

  private static List<Detection> slow(List<Pace> group, NodeSnapshot view, RulePolicy policy) {
    double median = Median.lower(group.stream().mapToDouble(Pace::compute).toArray());
    double ratio = policy.threshold(TrainingStraggler.RATIO);
    List<GpuStatus> gpus =
        group.stream().flatMap(pace -> view.gpu(pace.rank().uuid()).stream()).toList();
    SlowSigns signs = new SlowSigns(view);
    return group.stream()
        .filter(pace -> median > 0 && pace.compute() > ratio * median)
        .filter(pace -> isSlowInEachPart(pace, group, ratio))
        .map(
            pace ->
                signs.judge(
                    detection(pace, median, group.size(), policy),
                    pace.compute() / median,
                    view.gpu(pace.rank().uuid()),
                    gpus,
                    Optional.of(pace.rank().part().key()),
                    policy.spec().why()))
        .toList();
  }

  /**
   * By half of the excess. One long step, as after a pause, makes no rank slow, nor do long steps
   * that move from rank to rank.
   */
  private static boolean isSlowInEachPart(Pace pace, List<Pace> group, double ratio) {
    int known = 0;
    int slow = 0;
    for (int i = 0; i < PARTS; i++) {
      int part = i;
      double own = pace.parts().get(part);
      if (!Double.isNaN(own)) {
        double[] all =
            group.stream()
                .mapToDouble(one -> one.parts().get(part))
                .filter(each -> !Double.isNaN(each))
                .toArray();
        known++;
        slow += own > (1 + ratio) / 2 * Median.lower(all) ? 1 : 0;
      }
    }
    return known >= LEAST_PARTS && slow == known;
  }

  private static Detection detection(Pace pace, double median, int ranks, RulePolicy policy) {
    String gpu = pace.rank().gpu();
    return policy.detection(
        pace.rank().part().subject(),
        "computed %s a step in the last %s, %s times the median of %s of %s ranks of its job on this node%s"
            .formatted(
                TrainingRule.seconds(pace.compute()),
                TrainingRule.window(pace.covered()),
                String.format(Locale.ROOT, "%.2f", pace.compute() / median),
                TrainingRule.seconds(median),
                ranks,
                gpu.isEmpty() ? "" : "; it runs on " + gpu),
        TrainingMetrics.COMPUTE_SECONDS,
        TrainingMetrics.STEPS);
  }
}
