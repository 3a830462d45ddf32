package io.lapwing.nccl;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Labels;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All communicators with a rank on this node, of however many jobs. One that is not heard of stays
 * for three rounds, since a round may miss a job, unless its job answered without it or its
 * processes are gone.
 */
final class CommunicatorBook {

  private static final int MOST_MISSED = 3;

  /** On the page: eight of each communicator. */
  static final int MOST_RANKS = 8 * RasReplyReader.MOST_COMMUNICATORS;

  private static final Comparator<CommunicatorWatch> LARGEST_FIRST =
      Comparator.comparingInt((CommunicatorWatch watch) -> watch.latest().size())
          .reversed()
          .thenComparing(watch -> watch.latest().id().hash());

  private final ProcFs proc;
  private final Map<String, CommunicatorWatch> watches = new TreeMap<>();
  private int dropped;
  private int withoutProcess;

  CommunicatorBook(ProcFs proc) {
    this.proc = proc;
  }

  List<RasCommunicator> known() {
    return watches.values().stream().map(CommunicatorWatch::latest).toList();
  }

  /**
   * Takes in what one round told.
   *
   * @param now in nanoseconds
   */
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
    watches
        .entrySet()
        .removeIf(one -> !seen.contains(one.getKey()) && isOver(one.getValue(), answered));
    dropSmallest();
  }

  /** Two with one hash cannot both be shown; the one that was first is. */
  private void take(RasCommunicator one, Set<String> seen, long now) {
    CommunicatorWatch watch = watches.get(one.id().hash());
    if (watch == null) {
      watches.put(one.id().hash(), new CommunicatorWatch(one, now));
    } else if (watch.latest().id().equals(one.id())) {
      watch.saw(one, now);
    } else {
      dropped++;
      return;
    }
    seen.add(one.id().hash());
  }

  private static boolean isOver(CommunicatorWatch watch, Set<LocalProcess> answered) {
    return watch.missedAgain() >= MOST_MISSED
        || watch.latest().local().stream().anyMatch(rank -> answered.contains(rank.process()));
  }

  private void dropSmallest() {
    while (watches.size() > RasReplyReader.MOST_COMMUNICATORS) {
      watches.values().stream()
          .map(CommunicatorWatch::latest)
          .min(Comparator.comparingInt(RasCommunicator::size))
          .ifPresent(smallest -> watches.remove(smallest.id().hash()));
      dropped++;
    }
  }

  /** Takes away what is of processes that are gone, as one may be at any moment. */
  void forgetTheDead() {
    Map<LocalProcess, Boolean> alive = new HashMap<>();
    watches
        .values()
        .removeIf(watch -> !watch.keep(process -> alive.computeIfAbsent(process, this::isAlive)));
  }

  private boolean isAlive(LocalProcess process) {
    return LocalProcesses.find(proc, process.pid()).filter(process::equals).isPresent();
  }

  void put(SampleSink sink) {
    sink.add(NcclMetrics.COMMUNICATORS, Labels.NONE, watches.size());
    sink.add(NcclMetrics.COMMUNICATORS_DROPPED, Labels.NONE, dropped);
    sink.add(NcclMetrics.RANKS_WITHOUT_PROCESS, Labels.NONE, withoutProcess);
    List<CommunicatorWatch> all = watches.values().stream().sorted(LARGEST_FIRST).toList();
    all.forEach(watch -> watch.put(sink));
    int shown = 0;
    int left = 0;
    for (CommunicatorWatch watch : all) {
      if (shown + watch.ranks() <= MOST_RANKS) {
        shown += watch.ranks();
        watch.putRanks(sink);
      } else {
        left += watch.ranks();
      }
    }
    sink.add(NcclMetrics.RANKS_DROPPED, Labels.NONE, left);
  }
}
