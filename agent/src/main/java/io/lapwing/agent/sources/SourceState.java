package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.Optional;

/**
 * How a source's thread stands at one moment.
 *
 * @param rounds it has finished
 * @param busy for how long the round that is under way has been; empty while there is none
 * @param hung whether that is longer than the deadline
 * @param doing the collector that is running, or {@code open}
 */
public record SourceState(
    String source, long rounds, Optional<Duration> busy, boolean hung, String doing) {

  /** Whether it is settled what this source is: it finished a round, or hangs. */
  public boolean settled() {
    return rounds > 0 || hung;
  }
}
