package io.lapwing.stack.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the server has of the time that was asked for: elsewhere no alert could have fired.
 *
 * @param covered the time with samples of agents
 * @param first the first of them; empty if there are none
 * @param firstRecorded the first sample of any recording that the alerts read; empty if there is
 *     none
 */
record Coverage(Duration covered, Optional<Instant> first, Optional<Instant> firstRecorded) {

  /** A recording may start an evaluation or two after the agents. */
  private static final Duration TOLERANCE = Duration.ofMinutes(10);

  static Coverage of(List<Instant> agents, List<Instant> recordings, Duration step) {
    return new Coverage(
        step.multipliedBy(agents.size()),
        agents.stream().findFirst(),
        recordings.stream().findFirst());
  }

  /** Whether agents were scraped before the rules were loaded. */
  boolean lacksRecordings() {
    return first.isPresent()
        && firstRecorded.map(at -> at.isAfter(first.get().plus(TOLERANCE))).orElse(true);
  }
}
