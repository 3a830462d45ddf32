package io.lapwing.training;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Durations of steps: a histogram of all, and the median of the recent ones. */
final class StepDurations {

  /** Upper bounds of the buckets in seconds, without {@code +Inf}. */
  static final List<Double> BOUNDS =
      List.of(
          0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0);

  private static final int LAST = 128;
  private static final int MIN_STEPS = 8;

  private final long[] counts = new long[BOUNDS.size() + 1];
  private final double[] last = new double[LAST];
  private double[] sorted = new double[0];
  private long seen;
  private double sum;

  void add(double seconds) {
    int bucket = 0;
    while (bucket < BOUNDS.size() && BOUNDS.get(bucket) < seconds) {
      bucket++;
    }
    counts[bucket]++;
    last[(int) (seen % LAST)] = seconds;
    seen++;
    sum += seconds;
  }

  long seen() {
    return seen;
  }

  double sum() {
    return sum;
  }

  /** The count of one bucket, not cumulative. */
  long in(int bucket) {
    return counts[bucket];
  }

  /** The median of the last 128, empty before the 8th. Of an even number, the lower one. */
  OptionalDouble usual() {
    if (seen < MIN_STEPS) {
      return OptionalDouble.empty();
    }
    int size = (int) Math.min(seen, LAST);
    if (sorted.length != size) {
      sorted = new double[size];
    }
    System.arraycopy(last, 0, sorted, 0, size);
    Arrays.sort(sorted);
    return OptionalDouble.of(sorted[(size - 1) / 2]);
  }
}
