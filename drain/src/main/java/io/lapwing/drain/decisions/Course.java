package io.lapwing.drain.decisions;

import io.lapwing.drain.remediation.Remediation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A remediation from its request on.
 *
 * @param last its state now or at its end, with the outcome of each repair
 * @param decisions oldest first; only the last one if it ended long ago
 */
public record Course(Remediation last, List<Decision> decisions) {

  public Course {
    decisions = List.copyOf(decisions);
  }

  /** Empty if it is open. */
  public Optional<Instant> ended() {
    return last.phase().ended()
        ? Optional.of(decisions.get(decisions.size() - 1).at())
        : Optional.empty();
  }

  /** How long the node was out of service for it; empty if it was not. */
  public Optional<Duration> outOfService(Instant now) {
    return last.taken().map(taken -> Duration.between(taken, ended().orElse(now)));
  }
}
