package io.lapwing.agent.attribution;

import java.util.Optional;

/**
 * Time that a rank lost in one portion of its steps.
 *
 * @param seconds above the expected duration of the portion
 * @param timing what the loop measured, a clause
 * @param evidence independent evidence, a clause; empty if the cause is unknown
 */
record Loss(
    Portion portion, Cause cause, double seconds, String timing, Optional<String> evidence) {

  /** This loss from the view of the ranks that wait for the given rank. */
  Loss waitingFor(String rank) {
    String reason =
        evidence
            .map(text -> rank + " is slow: " + text)
            .orElse(rank + " is slow for an unknown reason");
    return new Loss(portion, cause, seconds, timing, Optional.of(reason));
  }
}
