package io.lapwing.training;

import java.util.OptionalDouble;

/**
 * A number that not every step gives, since loops tell their loss every so many steps only. The
 * last one that was given holds for some steps, unless an infinite one says that it holds no more.
 */
final class LatestNumber {

  private static final int HOLDS = 256;

  private double number = Double.NaN;
  private int since;

  /** What a step gave; no number where it gave none. */
  void note(double given) {
    since = Double.isFinite(given) ? 0 : Math.min(since + 1, HOLDS);
    number = Double.isNaN(given) ? number : given;
  }

  OptionalDouble get() {
    return Double.isFinite(number) && since < HOLDS
        ? OptionalDouble.of(number)
        : OptionalDouble.empty();
  }
}
