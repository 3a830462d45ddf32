package io.lapwing.nccl;

import java.time.Duration;

/**
 * How much is read, and how long is waited.
 *
 * @param bytes of all replies of a round together
 * @param one for one reply
 * @param all for a round
 * @param patience for which a run of the collector waits for its round; what comes later is shown
 *     by the next run
 */
record RasLimits(long bytes, Duration one, Duration all, Duration patience) {

  /**
   * NCCL answers within 10 s, whatever its peers do. The patience is well below the time after
   * which a source counts as hung.
   */
  static final RasLimits USUAL =
      new RasLimits(
          64L << 20, Duration.ofSeconds(12), Duration.ofSeconds(25), Duration.ofSeconds(3));
}
