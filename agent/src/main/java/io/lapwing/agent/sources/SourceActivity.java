package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.Optional;

/**
 * What a source's worker does: finished rounds, time in this round (empty between rounds), and the
 * collector, or the opening of the source.
 */
public record SourceActivity(
    String source, long rounds, Optional<Duration> busy, boolean hung, String doing) {

  /** Whether the status of the source is known: it finished a round or hangs. */
  public boolean settled() {
    return rounds > 0 || hung;
  }
}
