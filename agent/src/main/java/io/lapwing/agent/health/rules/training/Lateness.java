package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.rules.nccl.RingRank;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How late a rank was in the collectives of one communicator.
 *
 * @param seconds that the window covers so far
 * @param compared collectives in it
 * @param perCollective seconds after the first rank, on average
 * @param shares for the whole window, and then for each of its parts, the oldest first
 */
record Lateness(
    RingRank rank, double seconds, double compared, double perCollective, List<Share> shares) {

  /** Of the window. */
  static final int PARTS = 3;

  /**
   * Shares of the time.
   *
   * @param late in which others waited for the rank
   * @param waited in which it waited for others
   * @param known whether collectives were compared
   */
  record Share(double late, double waited, boolean known) {}

  /** Empty while too little of the window is covered, or nothing was compared. */
  static Optional<Lateness> of(RingRank rank, NodeSnapshot view) {
    Optional<Growth> all = Growth.of(rank, TrainingStraggler.WINDOW, view);
    if (all.isEmpty() || all.get().compared() == 0 || all.get().seconds() == 0) {
      return Optional.empty();
    }
    Growth whole = all.get();
    // Of many collectives a sample is compared.
    double scale = Math.max(1, whole.timed() / whole.compared());
    List<Share> shares = new ArrayList<>(List.of(whole.since(Growth.NONE, scale)));
    Growth longer = whole;
    for (int i = PARTS - 1; i >= 0; i--) {
      Growth shorter =
          i == 0
              ? Growth.NONE
              : Growth.of(rank, part(whole.seconds(), i), view).orElse(Growth.NONE);
      shares.add(longer.since(shorter, scale));
      longer = shorter;
    }
    return Optional.of(
        new Lateness(
            rank, whole.seconds(), whole.compared(), whole.late() / whole.compared(), shares));
  }

  private static Duration part(double seconds, int parts) {
    return Duration.ofMillis(Math.round(1e3 * seconds * parts / PARTS));
  }

  /** Increases over a window that ends now. */
  private record Growth(double seconds, double late, double waited, double compared, double timed) {

    static final Growth NONE = new Growth(0, 0, 0, 0, 0);

    static Optional<Growth> of(RingRank rank, Duration window, NodeSnapshot view) {
      OptionalDouble late = grown(rank, RingMetrics.LATE, window, view);
      OptionalDouble compared = grown(rank, RingMetrics.COMPARED, window, view);
      return late.isPresent() && compared.isPresent()
          ? Optional.of(
              new Growth(
                  view.trends()
                      .covered(RingSource.COLLECTOR, RingMetrics.LATE, rank.labels(), window),
                  late.getAsDouble(),
                  grown(rank, RingMetrics.WAIT, window, view).orElse(0),
                  compared.getAsDouble(),
                  grown(rank, RingMetrics.TIMED, window, view).orElse(0)))
          : Optional.empty();
    }

    private static OptionalDouble grown(
        RingRank rank, Metric counter, Duration window, NodeSnapshot view) {
      return view.trends().increase(RingSource.COLLECTOR, counter, rank.labels(), window);
    }

    /** The part of this window that is not in a shorter one. */
    Share since(Growth shorter, double scale) {
      double time = seconds - shorter.seconds;
      return time > 0 && compared > shorter.compared
          ? new Share(
              scale * (late - shorter.late) / time, scale * (waited - shorter.waited) / time, true)
          : new Share(0, 0, false);
    }
  }
}
