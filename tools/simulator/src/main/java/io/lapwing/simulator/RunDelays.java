package io.lapwing.simulator;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The time that processes of a job waited for a processor, in addition to what the real processes
 * did. State line: {@code training.3.run_delay: 0.4}, a share of the time.
 */
final class RunDelays {
  private final Map<Integer, ShareOfTime> ranks = new TreeMap<>();

  /** Shares by rank. */
  void change(List<Double> shares, Instant now) {
    for (int rank = 0; rank < shares.size(); rank++) {
      double share = shares.get(rank);
      if (share > 0 || ranks.containsKey(rank)) {
        ranks.computeIfAbsent(rank, unseen -> new ShareOfTime(0, now)).change(share, now);
      }
    }
  }

  /** The job has ended. */
  void clear() {
    ranks.clear();
  }

  /** Nanoseconds by rank, of ranks that had to wait. */
  Map<Integer, Long> at(Instant now) {
    Map<Integer, Long> nanos = new TreeMap<>();
    ranks.forEach((rank, time) -> nanos.put(rank, Math.round(time.at(now) * 1e9)));
    return nanos;
  }
}
