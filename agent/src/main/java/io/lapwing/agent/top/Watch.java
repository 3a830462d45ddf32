package io.lapwing.agent.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of the agent: its last frame and whether it still answers. Times are of this machine.
 *
 * @param received when the frame came; the start before the first one
 * @param problem why the last request got no frame
 */
record Watch(Optional<NodeFrame> frame, Instant received, Optional<String> problem) {

  /** Without an answer for longer, the verdict no longer counts, as in {@code /ui}. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  static Watch start(Instant now) {
    return new Watch(Optional.empty(), now, Optional.empty());
  }

  Watch answered(NodeFrame frame, Instant now) {
    return new Watch(Optional.of(frame), now, Optional.empty());
  }

  Watch failed(String why) {
    return new Watch(frame, received, Optional.of(why));
  }

  boolean isStale(Instant now) {
    return problem.isPresent() && Duration.between(received, now).compareTo(PATIENCE) > 0;
  }
}
