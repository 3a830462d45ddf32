package io.lapwing.agent.health;

import java.util.stream.DoubleStream;

/** Medians of at least one number, in any order. */
public final class Median {

  private Median() {}

  /** Of an even count, the mean of the two middle values. */
  public static double of(double... numbers) {
    double[] sorted = DoubleStream.of(numbers).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Of an even count, the lower of the two middle values. */
  public static double lower(double... numbers) {
    return DoubleStream.of(numbers).sorted().toArray()[(numbers.length - 1) / 2];
  }
}
