package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A communicator from one reply to the next. */
final class CommunicatorWatch {

  private final Labels labels;
  private final Map<Integer, RankWatch> ranks = new TreeMap<>();
  private RasCommunicator latest;
  private int missed;

  CommunicatorWatch(RasCommunicator first, long now) {
    labels = Labels.of(NcclMetrics.COMM, first.id().hash());
    latest = first;
    saw(first, now);
  }

  void saw(RasCommunicator next, long now) {
    latest = next;
    missed = 0;
    Map<Integer, RankWatch> before = Map.copyOf(ranks);
    ranks.clear();
    for (RasRank rank : next.local()) {
      RankWatch watch = before.get(rank.rank());
      if (watch != null && watch.isOf(rank)) {
        watch.saw(rank, next.most(), now);
      } else {
        watch = new RankWatch(labels, rank, next.most(), now);
      }
      ranks.put(rank.rank(), watch);
    }
  }

  RasCommunicator latest() {
    return latest;
  }

  /** Counts a round in which it did not stand in any reply. */
  int missedAgain() {
    return ++missed;
  }

  /** Takes away ranks whose process is gone; false where none is left. */
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
}
