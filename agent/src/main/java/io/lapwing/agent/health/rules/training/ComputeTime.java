package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Ranks that compute longer than their siblings, by their step files. Steps of synchronous training
 * last equally long, so compute time is compared, among ranks of one pipeline stage.
 */
final class ComputeTime {

  private ComputeTime() {}

  /** A rank's compute time for a step, in seconds. */
  private record Pace(RankStatus rank, double compute) {}

  static List<Detection> slow(NodeSnapshot view, RulePolicy policy) {
    Map<List<Object>, List<Pace>> siblings = new LinkedHashMap<>();
    for (RankStatus rank : RankStatus.all(view)) {
      OptionalDouble compute = compute(rank, view, policy);
      if (compute.isPresent()) {
        siblings
            .computeIfAbsent(List.of(rank.siblings(), rank.stage()), unseen -> new ArrayList<>())
            .add(new Pace(rank, compute.getAsDouble()));
      }
    }
    return siblings.values().stream().flatMap(group -> slow(group, view, policy).stream()).toList();
  }

  private static OptionalDouble compute(RankStatus rank, NodeSnapshot view, RulePolicy policy) {
    OptionalDouble steps = grown(rank, view, TrainingMetrics.STEPS);
    OptionalDouble compute = grown(rank, view, TrainingMetrics.COMPUTE_SECONDS);
    return compute.isPresent() && steps.orElse(0) >= policy.threshold(TrainingStraggler.LEAST_STEPS)
        ? OptionalDouble.of(compute.getAsDouble() / steps.orElse(1))
        : OptionalDouble.empty();
  }

  private static OptionalDouble grown(RankStatus rank, NodeSnapshot view, Metric counter) {
    return view.trends().increase(rank.part().key(), counter, List.of(), TrainingStraggler.WINDOW);
  }

  private static List<Detection> slow(List<Pace> group, NodeSnapshot view, RulePolicy policy) {
    if (group.size() < policy.threshold(TrainingStraggler.LEAST_RANKS)) {
      return List.of();
    }
    double median = Median.lower(group.stream().mapToDouble(Pace::compute).toArray());
    double ratio = policy.threshold(TrainingStraggler.RATIO);
    List<GpuStatus> gpus =
        group.stream().flatMap(pace -> view.gpu(pace.rank().uuid()).stream()).toList();
    SlowSigns signs = new SlowSigns(view);
    return group.stream()
        .filter(pace -> median > 0 && pace.compute() > ratio * median)
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

  private static Detection detection(Pace pace, double median, int ranks, RulePolicy policy) {
    String gpu = pace.rank().gpu();
    return policy.detection(
        pace.rank().part().subject(),
        "computed %s a step in the last %s, %s times the median of %s of %s ranks of its job on this node%s"
            .formatted(
                TrainingRule.seconds(pace.compute()),
                RuleText.duration(TrainingStraggler.WINDOW),
                String.format(Locale.ROOT, "%.2f", pace.compute() / median),
                TrainingRule.seconds(median),
                ranks,
                gpu.isEmpty() ? "" : "; it runs on " + gpu),
        TrainingMetrics.COMPUTE_SECONDS,
        TrainingMetrics.STEPS);
  }
}
