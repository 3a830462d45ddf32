package io.lapwing.agent.deep;

import io.lapwing.deep.DeepResult.Outcome;
import java.time.Duration;

/**
 * How long a step of the deep check may take.
 *
 * @param shortened whether the check has less time left than the step may take: a step that does
 *     not end within it is not hung
 */
record TimeLimit(Duration time, boolean shortened) {

  static final String NO_TIME = "no time was left";

  /** {@code most}, or what is left if that is less. */
  static TimeLimit of(Duration most, Duration left) {
    return left.compareTo(most) < 0
        ? new TimeLimit(left.isNegative() ? Duration.ZERO : left, true)
        : new TimeLimit(most, false);
  }

  boolean isOver() {
    return time.isZero();
  }

  /** The outcome of a step that did not end within it. */
  Outcome outcome() {
    return shortened ? Outcome.NOT_TESTED : Outcome.HUNG;
  }

  /** {@code no end within 30 s}. */
  String missed() {
    return "no end within " + time.toMillis() / 1e3 + " s" + (shortened ? ": " + NO_TIME : "");
  }
}
