package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.Optional;

/**
 * What the worker of a source is doing at one moment.
 *
 * @param rounds finished rounds
 * @param busy how long the current round has taken; empty between rounds
 * @param hung whether that exceeds the deadline
 * @param late whether the last finished round did
 * @param doing the collector that is running, or the opening of the source
 */
public record SourceActivity(
    String source, long rounds, Optional<Duration> busy, boolean hung, boolean late, String doing) {

  /** Whether the status of the source is known: it finished a round or hangs. */
  public boolean settled() {
    return rounds > 0 || hung;
  }
}
