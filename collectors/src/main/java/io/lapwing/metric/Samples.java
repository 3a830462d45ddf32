package io.lapwing.metric;

import java.util.Arrays;
import java.util.List;

/**
 * What one collector saw in one run. The list of series is the very same object for as long as a
 * collector writes the same series in the same order, so that a renderer can keep what it made of
 * it.
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

  /** How many of them stand on the page. */
  public int listed() {
    return listed;
  }

  @Override
  public String toString() {
    return series + " = " + Arrays.toString(values);
  }
}
