package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.nccl.LocalProcesses.LocalProcess;
import io.lapwing.nccl.RasReply.Communicator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A communicator across replies. */
final class TrackedCommunicator {

  private final Labels labels;
  private final Map<Integer, TrackedRank> ranks = new TreeMap<>();
  private Communicator latest;
  private int missed;

  TrackedCommunicator(Communicator first, long now) {
    labels = Labels.of(NcclMetrics.COMM, first.id().hash());
    latest = first;
    update(first, now);
  }

  void update(Communicator next, long now) {
    latest = next;
    missed = 0;
    Map<Integer, TrackedRank> before = Map.copyOf(ranks);
    ranks.clear();
    for (Communicator.Rank rank : next.local()) {
      TrackedRank trackedRank = before.get(rank.rank());
      if (trackedRank != null && trackedRank.isOf(rank)) {
        trackedRank.update(rank, next.highest(), now);
      } else {
        trackedRank = new TrackedRank(labels, rank, next.highest(), now);
      }
      ranks.put(rank.rank(), trackedRank);
    }
  }

  Communicator latest() {
    return latest;
  }

  /** Counts a round in which no reply contains it. */
  int countMissed() {
    return ++missed;
  }

  /** Drops ranks whose process has exited; false if none is left. */
  boolean keep(Predicate<LocalProcess> alive) {
    boolean any = !ranks.isEmpty();
    ranks.values().removeIf(rank -> !alive.test(rank.process()));
    return !any || !ranks.isEmpty();
  }

  int ranks() {
    return ranks.size();
  }

  void put(SampleSink sink) {
    sink.add(NcclMetrics.RANKS, labels, latest.size());
    sink.add(NcclMetrics.MISSING_RANKS, labels, latest.missing());
    sink.add(NcclMetrics.MISSING_RANKS_HERE, labels, latest.missingHere());
    sink.add(NcclMetrics.UNRESPONSIVE_RANKS, labels, latest.unresponsive());
    sink.add(NcclMetrics.DEAD_RANKS, labels, latest.dead());
    sink.add(NcclMetrics.RANKS_IN_ERROR, labels, latest.inError());
  }

  void putRanks(SampleSink sink) {
    ranks.values().forEach(rank -> rank.put(sink));
  }

  /** A rank of this node across replies: its labels and when its counts last increased. */
  static final class TrackedRank {

    private final LocalProcess process;
    private final OptionalInt gpu;
    private final Labels labels;
    private final Labels withGpu;
    private final Map<String, Labels> operations = new HashMap<>();
    private Communicator.Rank rank;
    private double behind;
    private double total;
    private long moved;
    private long seen;

    TrackedRank(Labels comm, Communicator.Rank rank, CollectiveCounts highest, long now) {
      this.process = rank.process();
      this.gpu = rank.gpu();
      this.labels = comm.with(NcclMetrics.RANK, Integer.toString(rank.rank()));
      this.withGpu =
          labels.with(NcclMetrics.GPU, gpu.isPresent() ? Integer.toString(gpu.getAsInt()) : "");
      this.rank = rank;
      this.total = rank.counts().total();
      this.behind = rank.counts().behind(highest);
      this.moved = now;
      this.seen = now;
    }

    /** False for a rank of the same number in a later process. */
    boolean isOf(Communicator.Rank other) {
      return process.equals(other.process()) && gpu.equals(other.gpu());
    }

    LocalProcess process() {
      return process;
    }

    void update(Communicator.Rank next, CollectiveCounts highest, long now) {
      double count = next.counts().total();
      if (count != total) {
        moved = now;
      }
      total = count;
      rank = next;
      behind = next.counts().behind(highest);
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
}
