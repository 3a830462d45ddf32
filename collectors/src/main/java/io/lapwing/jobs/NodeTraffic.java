package io.lapwing.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The traffic of the node over its two kinds of network, since some moment. Thread-safe. */
public interface NodeTraffic {

  /** Empty if the node has no EFA or no ENA device, or if one of them was not read. */
  Optional<Totals> totals();

  /**
   * Bytes of all devices of a kind.
   *
   * @param received over ENA, the ordinary network
   * @param sent over ENA
   * @param efa in both directions
   */
  record Totals(double received, double sent, double efa) {}

  /**
   * Whether a job may be using the wrong network: ENA is busy in both directions, and EFA is idle.
   * Only then is it worth reading the files of processes. Lenient, as a health rule decides.
   */
  final class Suspicion {

    /**
     * Bytes per second; a collective sends about as much as it receives, a data loader does not.
     */
    private static final double BUSY = 2e7;

    private static final double MOST_OF_EFA = 0.05;

    /** Longer than the window of the rule, so that it finds the processes when it decides. */
    private static final Duration LASTS = Duration.ofMinutes(6);

    private Optional<Totals> before = Optional.empty();
    private Instant since = Instant.MIN;
    private Instant until = Instant.MIN;

    /** Compares with the last totals that differed: a device may be read less often than this. */
    boolean isRaised(Totals now, Instant at) {
      if (before.isPresent() && isSuspicious(before.get(), now, Duration.between(since, at))) {
        until = at.plus(LASTS);
      }
      if (before.filter(last -> isSameEna(last, now)).isEmpty()) {
        before = Optional.of(now);
        since = at;
      }
      // A clock that was set back must not keep it raised.
      return at.isBefore(until) && until.isBefore(at.plus(LASTS).plusMillis(1));
    }

    private static boolean isSameEna(Totals one, Totals other) {
      return one.received() == other.received() && one.sent() == other.sent();
    }

    private static boolean isSuspicious(Totals from, Totals to, Duration time) {
      double least = Math.min(to.received() - from.received(), to.sent() - from.sent());
      double efa = to.efa() - from.efa();
      return time.toMillis() > 0
          && least / time.toMillis() * 1e3 >= BUSY
          && efa >= 0
          && efa < MOST_OF_EFA * least;
    }
  }
}
