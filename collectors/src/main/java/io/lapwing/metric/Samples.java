package io.lapwing.metric;

import java.util.Arrays;
import java.util.List;

/**
 * The samples of one run of a collector. The list of series stays the identical object while they
 * are the same, so that a renderer can cache its layout.
 */
public final class Samples {

  public static final Samples EMPTY = new Samples(List.of(), new double[0], 0);

  private final List<Series> series;
  private final double[] values;
  private final int listed;

  Samples(List<Series> series, double[] values, int listed) {
    if (series.size() != values.length) {
      throw new IllegalArgumentException(series.size() + " series, " + values.length + " values");
    }
    this.series = series;
    this.values = values;
    this.listed = listed;
  }

  public List<Series> series() {
    return series;
  }

  public double value(int index) {
    return values[index];
  }

  public int size() {
    return values.length;
  }

  /** The number of exposed samples. */
  public int listed() {
    return listed;
  }

  @Override
  public String toString() {
    return series + " = " + Arrays.toString(values);
  }
}
