package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.util.HashMap;
import java.util.Map;

/** A rank of this node from one reply to the next: its labels, and when its counts last moved. */
final class RankWatch {

  private final LocalProcess process;
  private final int gpu;
  private final Labels labels;
  private final Labels withGpu;
  private final Map<String, Labels> operations = new HashMap<>();
  private RasRank rank;
  private double behind;
  private double total;
  private long moved;
  private long seen;

  /**
   * A rank that is seen for the first time.
   *
   * @param comm the labels of its communicator
   * @param now in nanoseconds
   */
  RankWatch(Labels comm, RasRank rank, CollectiveCounts most, long now) {
    this.process = rank.process();
    this.gpu = rank.gpu();
    this.labels = comm.with(NcclMetrics.RANK, Integer.toString(rank.rank()));
    this.withGpu = labels.with(NcclMetrics.GPU, gpu < 0 ? "" : Integer.toString(gpu));
    this.rank = rank;
    this.total = rank.counts().total();
    this.behind = rank.counts().shortOf(most);
    this.moved = now;
    this.seen = now;
  }

  /** Whether it is the same rank, and not one with its number of a later process. */
  boolean isOf(RasRank other) {
    return process.equals(other.process()) && gpu == other.gpu();
  }

  LocalProcess process() {
    return process;
  }

  void saw(RasRank next, CollectiveCounts most, long now) {
    double count = next.counts().total();
    if (count != total) {
      moved = now;
    }
    total = count;
    rank = next;
    behind = next.counts().shortOf(most);
    seen = now;
  }

  void put(SampleSink sink) {
    sink.add(NcclMetrics.RANK_ASYNC_ERROR, withGpu, rank.asyncError());
    sink.add(NcclMetrics.RANK_ABORTED, withGpu, rank.aborted() ? 1 : 0);
    CollectiveCounts counts = rank.counts();
    for (int i = 0; i < counts.operations().size(); i++) {
      if (counts.count(i) > 0) {
        sink.add(NcclMetrics.COLLECTIVES, operation(counts.operations().get(i)), counts.count(i));
      }
    }
    sink.add(NcclMetrics.COLLECTIVES_BEHIND, labels, behind);
    sink.add(NcclMetrics.COLLECTIVES_STILL, labels, (seen - moved) / 1e9);
  }

  private Labels operation(String name) {
    return operations.computeIfAbsent(name, unseen -> labels.with(NcclMetrics.OPERATION, unseen));
  }
}
