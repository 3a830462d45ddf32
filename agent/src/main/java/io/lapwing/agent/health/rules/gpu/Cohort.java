package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * GPUs of a node that run equally fast under equal load: one model and one power limit, without
 * MIG, whose instances have loads of their own.
 */
record Cohort(List<GpuStatus> gpus) {

  /** With three GPUs or fewer, two of a kind are no majority. */
  static final int LEAST_GPUS = 4;

  /** If more than this share differs in traffic or activity, the cause is the load. */
  static final double FEW = 0.25;

  /** A load does not lower a clock without a reason, so half of the GPUs may be slow. */
  static final double HALF = 0.5;

  Cohort {
    gpus = List.copyOf(gpus);
  }

  static List<Cohort> of(NodeSnapshot view) {
    Map<List<Object>, List<GpuStatus>> alike = new LinkedHashMap<>();
    for (GpuStatus gpu : GpuRule.answering(view)) {
      if (!gpu.values().isSet(DcgmMetrics.MIG_MODE)) {
        OptionalDouble limit = gpu.values().get(DcgmMetrics.ENFORCED_POWER_LIMIT);
        alike
            .computeIfAbsent(
                List.of(gpu.model(), Math.round(limit.orElse(0))), unseen -> new ArrayList<>())
            .add(gpu);
      }
    }
    return alike.values().stream().map(Cohort::new).toList();
  }

  /**
   * The share of the time in which the SMs were active; the utilisation at this moment where GPM is
   * not read.
   */
  static OptionalDouble activity(GpuStatus gpu, NodeSnapshot view, Duration window) {
    OptionalDouble active =
        view.trends().increase(gpu.key(), GpuMetrics.SM_ACTIVE_SECONDS, List.of(), window);
    if (active.isPresent()) {
      return OptionalDouble.of(active.getAsDouble() / window.toSeconds());
    }
    OptionalDouble used = gpu.values().get(DcgmMetrics.GPU_UTIL);
    return used.isPresent() ? OptionalDouble.of(used.getAsDouble() / 100) : used;
  }

  /** Those at least that active; none unless they are most of the cohort. */
  Cohort busy(NodeSnapshot view, Duration window, double least) {
    List<GpuStatus> busy =
        gpus.stream().filter(gpu -> activity(gpu, view, window).orElse(0) >= least).toList();
    return new Cohort(
        busy.size() >= LEAST_GPUS && 2 * busy.size() > gpus.size() ? busy : List.of());
  }

  /** A GPU far below the others: its value, and the median of the others. */
  record Slow(GpuStatus gpu, double own, double median) {

    boolean below(double share) {
      return own < share * median;
    }
  }

  /** Those below a share of the median of the others; none if they are more than {@code most}. */
  List<Slow> below(double share, double most, ToDoubleFunction<GpuStatus> value) {
    List<Slow> slow = gpus.stream().map(gpu -> compared(gpu, value)).toList();
    slow = slow.stream().filter(one -> one.below(share)).toList();
    return slow.size() <= most * gpus.size() ? slow : List.of();
  }

  private Slow compared(GpuStatus gpu, ToDoubleFunction<GpuStatus> value) {
    double[] others =
        gpus.stream().filter(other -> !other.equals(gpu)).mapToDouble(value).toArray();
    double own = value.applyAsDouble(gpu);
    return new Slow(gpu, own, others.length == 0 ? own : Median.of(others));
  }

  /** Whether all values are known and differ from their median by this share at most. */
  static boolean isEven(double[] values, double tolerance) {
    double median = values.length == 0 ? Double.NaN : Median.of(values);
    for (double value : values) {
      if (!(Math.abs(value - median) <= tolerance * median)) {
        return false;
      }
    }
    return values.length > 0;
  }
}
