package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Labels;
import io.lapwing.nccl.LocalProcesses.LocalProcess;
import io.lapwing.nccl.RasReply.Communicator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All communicators with a rank on this node. One that is not reported is kept for three rounds,
 * since a round may miss a job, unless its job answered without it or its processes have exited.
 */
final class CommunicatorTracker {

  private static final int MAX_MISSED = 3;

  /** Ranks exposed at most: eight for each communicator. */
  static final int MAX_RANKS = 8 * RasReplyReader.MAX_COMMUNICATORS;

  private static final Comparator<TrackedCommunicator> LARGEST_FIRST =
      Comparator.comparingInt((TrackedCommunicator communicator) -> communicator.latest().size())
          .reversed()
          .thenComparing(communicator -> communicator.latest().id().hash());

  private final ProcFs proc;
  private final Map<String, TrackedCommunicator> tracked = new TreeMap<>();
  private int dropped;
  private int withoutProcess;

  CommunicatorTracker(ProcFs proc) {
    this.proc = proc;
  }

  List<Communicator> known() {
    return tracked.values().stream().map(TrackedCommunicator::latest).toList();
  }

  void take(List<RasReply> replies, long now) {
    Set<String> seen = new HashSet<>();
    Set<LocalProcess> answered = new HashSet<>();
    dropped = 0;
    withoutProcess = 0;
    for (RasReply reply : replies) {
      reply.communicators().forEach(one -> take(one, seen, now));
      answered.addAll(reply.processes());
      dropped = Math.max(dropped, reply.dropped());
      withoutProcess = Math.max(withoutProcess, reply.withoutProcess());
    }
    tracked
        .entrySet()
        .removeIf(one -> !seen.contains(one.getKey()) && isGone(one.getValue(), answered));
    dropSmallest();
  }

  /** Two communicators with the same hash would be the same series; the first one is exposed. */
  private void take(Communicator one, Set<String> seen, long now) {
    TrackedCommunicator communicator = tracked.get(one.id().hash());
    if (communicator == null) {
      tracked.put(one.id().hash(), new TrackedCommunicator(one, now));
    } else if (communicator.latest().id().equals(one.id())) {
      communicator.update(one, now);
    } else {
      dropped++;
      return;
    }
    seen.add(one.id().hash());
  }

  private static boolean isGone(TrackedCommunicator communicator, Set<LocalProcess> answered) {
    return communicator.countMissed() >= MAX_MISSED
        || communicator.latest().local().stream()
            .anyMatch(rank -> answered.contains(rank.process()));
  }

  private void dropSmallest() {
    while (tracked.size() > RasReplyReader.MAX_COMMUNICATORS) {
      tracked.values().stream()
          .map(TrackedCommunicator::latest)
          .min(Comparator.comparingInt(Communicator::size))
          .ifPresent(smallest -> tracked.remove(smallest.id().hash()));
      dropped++;
    }
  }

  /** Drops ranks whose process has exited, which may happen at any time. */
  void dropExited() {
    Map<LocalProcess, Boolean> alive = new HashMap<>();
    tracked
        .values()
        .removeIf(
            communicator ->
                !communicator.keep(process -> alive.computeIfAbsent(process, this::isAlive)));
  }

  private boolean isAlive(LocalProcess process) {
    return LocalProcesses.find(proc, process.pid()).filter(process::equals).isPresent();
  }

  void put(SampleSink sink) {
    sink.add(NcclMetrics.COMMUNICATORS, Labels.NONE, tracked.size());
    sink.add(NcclMetrics.COMMUNICATORS_DROPPED, Labels.NONE, dropped);
    sink.add(NcclMetrics.RANKS_WITHOUT_PROCESS, Labels.NONE, withoutProcess);
    List<TrackedCommunicator> all = tracked.values().stream().sorted(LARGEST_FIRST).toList();
    all.forEach(communicator -> communicator.put(sink));
    int exposed = 0;
    int left = 0;
    for (TrackedCommunicator communicator : all) {
      if (exposed + communicator.ranks() <= MAX_RANKS) {
        exposed += communicator.ranks();
        communicator.putRanks(sink);
      } else {
        left += communicator.ranks();
      }
    }
    sink.add(NcclMetrics.RANKS_DROPPED, Labels.NONE, left);
  }
}
