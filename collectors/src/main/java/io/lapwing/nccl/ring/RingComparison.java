package io.lapwing.nccl.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what the ranks of a communicator on this node did in the same collective. Its kernels
 * end at about the same time on all ranks, each starts when its rank arrives: the rank whose kernel
 * is the shortest arrived last. This needs durations only, no common clock.
 *
 * <p>Only ranks of one user are compared: any user could claim to be a rank of any communicator.
 */
final class RingComparison {

  /** Collectives of one operation that are compared at once. */
  private static final int WINDOW = RingProcess.MAX_RECORDS;

  /** As many as a long has bits. */
  private static final int MAX_RANKS = 64;

  private static final long AMBIGUOUS = -1;

  private static final RingOperation[] OPERATIONS = RingOperation.values();

  private final long[] least = new long[WINDOW];
  private final long[] most = new long[WINDOW];
  private final long[] seen = new long[WINDOW];

  /** Of each communicator with several ranks here, the last compared collective by operation. */
  private final Map<Key, long[]> compared = new HashMap<>();

  private record Key(long user, long hash) {}

  private record Rank(RingProcess process, RingMember member) {}

  /** Updates the members of all processes, and of those that have ended. */
  void compare(List<RingProcess> processes, List<RingGone.Rank> gone, long now) {
    Map<Key, List<Rank>> groups = groups(processes);
    compared.keySet().retainAll(groups.keySet());
    groups.forEach(
        (key, ranks) -> {
          long[] last = compared.computeIfAbsent(key, one -> none());
          for (RingOperation operation : OPERATIONS) {
            if (operation.isSymmetric()) {
              last[operation.place()] = compare(ranks, operation, last[operation.place()]);
            }
          }
          findLags(ranks, now);
        });
    gone.forEach(rank -> findLag(rank, processes, now));
  }

  /** A rank whose process has ended is behind in each collective of the others. */
  private static void findLag(RingGone.Rank gone, List<RingProcess> processes, long now) {
    gone.member().lag = RingLag.NONE;
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        if (member.chosen && gone.isSameCommunicator(process, member)) {
          for (RingOperation operation : OPERATIONS) {
            RingTotals totals = member.totals(operation);
            double seconds = RingSource.seconds(now, totals.startedNanos());
            if (totals.isInFlight() && seconds > gone.member().lag.seconds()) {
              gone.member().lag =
                  new RingLag(seconds, operation, RingLag.State.GONE, totals.startedSequence() - 1);
            }
          }
        }
      }
    }
  }

  private static long[] none() {
    long[] none = new long[OPERATIONS.length];
    Arrays.fill(none, -1);
    return none;
  }

  /** Communicators with at least two different ranks on this node. */
  private static Map<Key, List<Rank>> groups(List<RingProcess> processes) {
    Map<Key, List<Rank>> groups = new LinkedHashMap<>();
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        member.comparable = false;
        member.lag = RingLag.NONE;
        if (member.chosen) {
          groups
              .computeIfAbsent(new Key(process.user(), member.hash), key -> new ArrayList<>())
              .add(new Rank(process, member));
        }
      }
    }
    groups.values().removeIf(ranks -> ranks.size() < 2 || !areDistinct(ranks));
    groups.values().forEach(ranks -> ranks.forEach(rank -> rank.member().comparable = true));
    return groups;
  }

  /** Whether each rank is known and there once; two writers of one rank cannot be compared. */
  private static boolean areDistinct(List<Rank> ranks) {
    Set<Integer> numbers = new HashSet<>();
    return ranks.size() <= MAX_RANKS
        && ranks.stream()
            .allMatch(rank -> rank.member().rank >= 0 && numbers.add(rank.member().rank));
  }

  /** Compares what all ranks have ended since; returns the number of the last such collective. */
  private long compare(List<Rank> ranks, RingOperation operation, long last) {
    long to = Long.MAX_VALUE;
    for (Rank rank : ranks) {
      if (rank.member().totals(operation).entered() == 0) {
        return last;
      }
      to = Math.min(to, newest(rank, operation));
    }
    if (to <= last) {
      // Numbers of one communicator only rise.
      return last;
    }
    long from = Math.max(last + 1, to - WINDOW + 1);
    int size = (int) (to - from + 1);
    Arrays.fill(seen, 0, size, 0);
    for (int i = 0; i < ranks.size(); i++) {
      note(ranks.get(i), operation, from, size, 1L << i);
    }
    long all = ranks.size() == MAX_RANKS ? ~0L : (1L << ranks.size()) - 1;
    ranks.forEach(rank -> add(rank, operation, from, size, all));
    return to;
  }

  private static long newest(Rank rank, RingOperation operation) {
    RingProcess process = rank.process();
    int kind = RingProcess.kind(rank.member().place, operation);
    long newest = -1;
    for (int i = 0; i < process.records(); i++) {
      if (process.kind(i) == kind) {
        newest = Math.max(newest, process.sequence(i));
      }
    }
    return newest;
  }

  private void note(Rank rank, RingOperation operation, long from, int size, long bit) {
    RingProcess process = rank.process();
    int kind = RingProcess.kind(rank.member().place, operation);
    for (int i = 0; i < process.records(); i++) {
      long at = process.sequence(i) - from;
      if (process.kind(i) == kind && at >= 0 && at < size) {
        note((int) at, process.duration(i), bit);
      }
    }
  }

  private void note(int at, long duration, long bit) {
    if (seen[at] == 0) {
      least[at] = duration;
      most[at] = duration;
    } else {
      least[at] = Math.min(least[at], duration);
      most[at] = Math.max(most[at], duration);
    }
    // A CUDA graph of an older NCCL repeats numbers.
    if ((seen[at] & bit) != 0) {
      least[at] = AMBIGUOUS;
    }
    seen[at] |= bit;
  }

  private void add(Rank rank, RingOperation operation, long from, int size, long all) {
    RingProcess process = rank.process();
    RingMember member = rank.member();
    int kind = RingProcess.kind(member.place, operation);
    for (int i = 0; i < process.records(); i++) {
      long at = process.sequence(i) - from;
      if (process.kind(i) == kind && at >= 0 && at < size) {
        int place = (int) at;
        if (seen[place] == all && least[place] != AMBIGUOUS) {
          member.compared++;
          member.waited += (process.duration(i) - least[place]) / 1e9;
          member.late += (most[place] - process.duration(i)) / 1e9;
        }
      }
    }
  }

  /** Finds ranks that do not take part in a collective whose kernel runs on others. */
  private static void findLags(List<Rank> ranks, long now) {
    for (RingOperation operation : OPERATIONS) {
      long leading = 0;
      for (Rank rank : ranks) {
        RingTotals totals = rank.member().totals(operation);
        leading = Math.max(leading, totals.isInFlight() ? totals.startedSequence() : 0);
      }
      long since = Long.MAX_VALUE;
      for (Rank rank : ranks) {
        RingTotals totals = rank.member().totals(operation);
        if (totals.isInFlight() && totals.startedSequence() == leading) {
          since = Math.min(since, totals.startedNanos());
        }
      }
      if (leading > 0) {
        double seconds = RingSource.seconds(now, since);
        for (Rank rank : ranks) {
          setLag(rank.member(), operation, leading, seconds);
        }
      }
    }
  }

  private static void setLag(
      RingMember member, RingOperation operation, long leading, double seconds) {
    RingTotals totals = member.totals(operation);
    if (totals.startedSequence() < leading && seconds > member.lag.seconds()) {
      RingLag.State state =
          totals.enteredSequence() < leading
              ? RingLag.State.NOT_ENTERED
              : RingLag.State.NOT_STARTED;
      member.lag = new RingLag(seconds, operation, state, leading - 1);
    }
  }
}
