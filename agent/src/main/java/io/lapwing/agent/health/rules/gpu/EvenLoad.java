package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A node whose GPUs all do the same: their SMs are equally active. Only then does less traffic of
 * one GPU indicate a fault; otherwise its share of the work may be smaller.
 */
record EvenLoad(Cohort gpus, NodeSnapshot view) {

  static final Duration WINDOW = Duration.ofMinutes(5);

  /** Largest difference from the median of what is equal. */
  private static final double TOLERANCE = 0.1;

  /** Empty unless all GPUs of the node are of one model, busy, and equally active. */
  static Optional<EvenLoad> of(NodeSnapshot view, double busy) {
    for (GpuStatus gpu : view.gpus()) { // first: most nodes are idle, and end here
      if (Cohort.activity(gpu, view, WINDOW).orElse(0) < busy) {
        return Optional.empty();
      }
    }
    List<Cohort> cohorts = Cohort.of(view);
    if (cohorts.size() != 1 || cohorts.get(0).gpus().size() != view.gpus().size()) {
      return Optional.empty();
    }
    Cohort all = cohorts.get(0).busy(view, WINDOW, busy);
    double[] activity =
        all.gpus().stream()
            .mapToDouble(gpu -> Cohort.activity(gpu, view, WINDOW).orElse(0))
            .toArray();
    return all.gpus().size() == view.gpus().size() && Cohort.isEven(activity, TOLERANCE)
        ? Optional.of(new EvenLoad(all, view))
        : Optional.empty();
  }

  /**
   * The one GPU whose counters grew by less than a share of the median of the others, which are
   * equal; its increase a second, and the median. Empty where the median is below {@code least} a
   * second, or the GPU takes no part at all.
   */
  Optional<Cohort.Slow> lowest(double share, double least, Metric... counters) {
    return gpus.below(share, Cohort.FEW, gpu -> rate(gpu, counters)).stream()
        .filter(slow -> slow.own() > 0 && slow.median() >= least)
        .filter(slow -> Cohort.isEven(others(slow.gpu(), counters), TOLERANCE))
        .findFirst();
  }

  private double[] others(GpuStatus gpu, Metric... counters) {
    return gpus.gpus().stream()
        .filter(other -> !other.equals(gpu))
        .mapToDouble(other -> rate(other, counters))
        .toArray();
  }

  /** The increase a second of all counters together; 0 where one is unknown. */
  private double rate(GpuStatus gpu, Metric... counters) {
    List<OptionalDouble> grown =
        Stream.of(counters)
            .map(counter -> view.trends().increase(gpu.key(), counter, List.of(), WINDOW))
            .toList();
    return grown.stream().allMatch(OptionalDouble::isPresent)
        ? grown.stream().mapToDouble(OptionalDouble::getAsDouble).sum() / WINDOW.toSeconds()
        : 0;
  }
}
