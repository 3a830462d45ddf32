package io.lapwing.nccl.ring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks whose process has ended while others on this node are in the communicator: these may wait
 * for them. A rank is dropped once it is back, or all others have ended.
 */
final class RingGone {

  /** Any user may start and end processes. */
  private static final int MOST = 64;

  private final List<Rank> ranks = new ArrayList<>();

  /** Noticed since the last {@link #update}. */
  private final List<RingProcess> ended = new ArrayList<>();

  /**
   * A rank of a process that has ended.
   *
   * @param noticed in nanoseconds since the epoch
   */
  record Rank(RingProcess process, RingMember member, long noticed) {

    boolean isSameCommunicator(RingProcess other, RingMember its) {
      return other.user() == process.user() && its.hash == member.hash;
    }
  }

  /** A process that is no longer read because it has ended. */
  void add(RingProcess process) {
    ended.add(process);
  }

  void clear() {
    ranks.clear();
    ended.clear();
  }

  /** The ranks that have ended, while these processes run. */
  List<Rank> update(List<RingProcess> processes, long now) {
    for (RingProcess process : ended) {
      process.members().stream()
          .filter(member -> member.rank >= 0)
          .forEach(member -> ranks.add(new Rank(process, member, now)));
    }
    ended.clear();
    ranks.removeIf(rank -> !isMissed(rank, processes));
    while (ranks.size() > MOST) {
      forgetOne();
    }
    return List.copyOf(ranks);
  }

  /** The oldest one of the account with the most. */
  private void forgetOne() {
    Map<String, Integer> counts = new HashMap<>();
    ranks.forEach(rank -> counts.merge(rank.process().account(), 1, Integer::sum));
    int most = Collections.max(counts.values());
    ranks.stream()
        .filter(rank -> counts.getOrDefault(rank.process().account(), 0) == most)
        .findFirst()
        .ifPresent(ranks::remove);
  }

  private static boolean isMissed(Rank rank, List<RingProcess> processes) {
    boolean missed = false;
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        if (rank.isSameCommunicator(process, member)) {
          if (member.rank == rank.member().rank) {
            return false;
          }
          missed = true;
        }
      }
    }
    return missed;
  }
}
