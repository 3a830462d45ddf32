package io.lapwing.bench.acceptance;

import java.util.List;
import java.util.Locale;

/**
 * The required agreement of a value with nvidia-smi's during the same phase.
 *
 * <p>The agent and nvidia-smi poll at different times. So a value agrees if it is between
 * nvidia-smi's minimum and maximum, plus a tolerance that is zero for constant values.
 */
sealed interface Closeness {

  boolean agrees(double ours, List<Double> theirs);

  String describe();

  /** Within the observed range, widened by the larger of an amount and a share. */
  record Within(double amount, double share) implements Closeness {

    @Override
    public boolean agrees(double ours, List<Double> theirs) {
      double lowest = theirs.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
      double highest = theirs.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
      return ours >= lowest - slack(lowest) && ours <= highest + slack(highest);
    }

    private double slack(double at) {
      return Math.max(amount, share * Math.abs(at));
    }

    @Override
    public String describe() {
      if (amount == 0 && share == 0) {
        return "exact";
      }
      String text = amount > 0 ? String.format(Locale.ROOT, "+-%.4g", amount) : "";
      String or = text.isEmpty() ? "+-" : " or ";
      return share > 0 ? text + String.format(Locale.ROOT, "%s%.0f %%", or, share * 100) : text;
    }
  }

  /** A mask: has every bit that was always set, and no bit that was never set. */
  record Bits() implements Closeness {

    @Override
    public boolean agrees(double ours, List<Double> theirs) {
      long always = theirs.stream().mapToLong(Double::longValue).reduce(-1L, (a, b) -> a & b);
      long ever = theirs.stream().mapToLong(Double::longValue).reduce(0L, (a, b) -> a | b);
      long mask = (long) ours;
      return (always & ~mask) == 0 && (mask & ~ever) == 0;
    }

    @Override
    public String describe() {
      return "bits seen";
    }
  }

  static Closeness exact() {
    return new Within(0, 0);
  }

  static Closeness within(double amount) {
    return new Within(amount, 0);
  }

  static Closeness within(double amount, double share) {
    return new Within(amount, share);
  }
}
