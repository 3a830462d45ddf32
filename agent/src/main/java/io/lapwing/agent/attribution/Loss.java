package io.lapwing.agent.attribution;

import java.util.Optional;

/**
 * Time that a rank lost in one portion of its steps.
 *
 * @param seconds beyond what this portion should have taken
 * @param first what the loop tells, a clause
 * @param second what something else tells; empty where the cause is not known
 */
record Loss(Portion portion, Cause cause, double seconds, String first, Optional<String> second) {

  /** The same as it is told to those who wait for that rank. */
  Loss of(String rank) {
    String told =
        second.map(sign -> rank + " is slow: " + sign).orElse(rank + " is slow, nobody knows why");
    return new Loss(portion, cause, seconds, first, Optional.of(told));
  }
}
