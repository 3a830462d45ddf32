package io.lapwing.metric;

import java.util.Arrays;
import java.util.List;

/**
 * The samples of one run of a collector. The list of series stays the identical object while they
 * are the same, so that a renderer can cache its layout.
 */
public final class Samples {

  public static final Samples EMPTY = new Samples(List.of(), new double[0], Size.NONE);

  private final List<Series> series;
  private final double[] values;
  private final Size size;

  Samples(List<Series> series, double[] values, Size size) {
    if (series.size() != values.length) {
      throw new IllegalArgumentException(series.size() + " series, " + values.length + " values");
    }
    this.series = series;
    this.values = values;
    this.size = size;
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
    return size.listed();
  }

  /** Upper limit of the bytes of the exposed samples' lines up to their values. */
  public long lineBytes() {
    return size.lineBytes();
  }

  @Override
  public String toString() {
    return series + " = " + Arrays.toString(values);
  }

  /** The exposed part of a list of series. */
  record Size(int listed, long lineBytes) {

    static final Size NONE = new Size(0, 0);

    static Size of(List<Series> all) {
      int listed = 0;
      long bytes = 0;
      for (Series series : all) {
        if (series.metric().listed()) {
          listed++;
          bytes += series.lineBytes();
        }
      }
      return new Size(listed, bytes);
    }
  }
}
