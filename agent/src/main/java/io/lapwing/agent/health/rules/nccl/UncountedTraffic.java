package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Signs that ranks communicate by operations that RAS does not count: AlltoAll of a mixture of
 * experts, sends and receives of a pipeline. The GPU's utilization is not one of them: an NCCL
 * kernel that waits keeps it at 100 % and transfers nothing.
 *
 * @param least seconds without a counted operation after which a rank is still
 */
record UncountedTraffic(NodeSnapshot view, Values ras, double least) {

  /** Within {@link #WINDOW}: far more than control messages, far less than a step of training. */
  private static final double MOVES = 1e9;

  private static final Duration WINDOW = Duration.ofMinutes(2);
  private static final List<String> PORT = List.of("1");

  static Metric[] counters() {
    return new Metric[] {EfaMetrics.TX_BYTES, GpuMetrics.NVLINK_TX_BYTES};
  }

  static Map<String, List<Metric>> trends() {
    return Map.of(
        EfaSource.KIND,
        List.of(EfaMetrics.TX_BYTES),
        Subject.Gpu.KIND,
        List.of(GpuMetrics.NVLINK_TX_BYTES));
  }

  /** Whether any rank of the node may communicate. */
  boolean isOfNode() {
    return efa() >= MOVES || view.gpus().stream().anyMatch(gpu -> nvlink(gpu) >= MOVES);
  }

  /**
   * Whether a rank, by communicator and rank, may be at work nevertheless: its process started an
   * operation on another communicator, its GPU moves data, or the node does over EFA, where the
   * devices are shared.
   */
  boolean isOf(List<String> rank) {
    String gpu = gpu(rank);
    return efa() >= MOVES || (!gpu.isEmpty() && (isAtWorkElsewhere(gpu) || nvlinkOf(gpu) >= MOVES));
  }

  private double efa() {
    return view.parts(EfaSource.KIND).stream()
        .filter(PartStatus::answers)
        .mapToDouble(device -> increase(device.key(), EfaMetrics.TX_BYTES, PORT))
        .sum();
  }

  private double nvlinkOf(String gpu) {
    return view.gpus().stream()
        .filter(one -> Integer.toString(one.index()).equals(gpu))
        .mapToDouble(this::nvlink)
        .sum();
  }

  private double nvlink(GpuStatus gpu) {
    return increase(gpu.key(), GpuMetrics.NVLINK_TX_BYTES, List.of());
  }

  private double increase(String part, Metric counter, List<String> labels) {
    return view.trends().increase(part, counter, labels, WINDOW).orElse(0);
  }

  /** Ranks of one process have one GPU on all of its communicators. */
  private boolean isAtWorkElsewhere(String gpu) {
    Map<List<String>, Double> still = ras.all(NcclMetrics.COLLECTIVES_STILL);
    return ras.all(NcclMetrics.RANK_ASYNC_ERROR).keySet().stream()
        .filter(rank -> rank.get(2).equals(gpu))
        .anyMatch(rank -> still.getOrDefault(rank.subList(0, 2), least) < least);
  }

  /** The index of the GPU; empty if unknown. */
  private String gpu(List<String> rank) {
    return ras.all(NcclMetrics.RANK_ASYNC_ERROR).keySet().stream()
        .filter(one -> one.subList(0, 2).equals(rank))
        .map(one -> one.get(2))
        .findFirst()
        .orElse("");
  }
}
