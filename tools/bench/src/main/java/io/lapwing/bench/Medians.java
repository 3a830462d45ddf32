package io.lapwing.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/** Order statistics of small samples. */
public final class Medians {

  private Medians() {}

  /** The middle value, or the mean of the middle two. */
  public static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The value that a share of the sample does not exceed; the sample is sorted in place. */
  public static double percentile(long[] sample, double share) {
    Arrays.sort(sample);
    int index = (int) Math.ceil(share * sample.length) - 1;
    return sample[Math.max(0, index)];
  }

  /** Ratios of values of the same round. */
  static <T> List<Double> pairwise(List<T> left, List<T> right, ToDoubleBiFunction<T, T> ratio) {
    Double[] ratios = new Double[left.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ratio.applyAsDouble(left.get(i), right.get(i));
    }
    return List.of(ratios);
  }
}
