package io.lapwing.training;

import java.util.OptionalDouble;

/** A total of seconds as its writer keeps it, which may be unknown; it never goes down here. */
final class RunningSeconds {

  private double total = Double.NaN;

  /** No number where the writer was never given any. */
  void note(double told) {
    if (Double.isFinite(told) && told >= 0) {
      total = Double.isNaN(total) ? told : Math.max(total, told);
    }
  }

  OptionalDouble get() {
    return Double.isNaN(total) ? OptionalDouble.empty() : OptionalDouble.of(total);
  }
}
