package io.lapwing.metric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the samples of one collector's runs. A run with the series of the previous run allocates
 * one array of doubles and no series. Not thread-safe.
 */
public final class SampleBuffer {

  private List<Series> known = List.of();
  private Samples.Size exposed = Samples.Size.NONE;
  private final List<Series> changed = new ArrayList<>();
  private boolean asKnown = true;
  private double[] values = new double[16];
  private int size;

  public void add(Metric metric, Labels labels, double value) {
    if (asKnown && !isKnown(metric, labels)) {
      changed.addAll(known.subList(0, size));
      asKnown = false;
    }
    if (!asKnown) {
      changed.add(new Series(metric, labels));
    }
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  /** The samples since the last call; the buffer is empty after it. */
  public Samples take() {
    if (!asKnown || size < known.size()) {
      known = asKnown ? List.copyOf(known.subList(0, size)) : List.copyOf(changed);
      exposed = Samples.Size.of(known);
    }
    Samples samples = new Samples(known, Arrays.copyOf(values, size), exposed);
    changed.clear();
    asKnown = true;
    size = 0;
    return samples;
  }

  /** Identity suffices and makes the check cheaper than the sample. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isKnown(Metric metric, Labels labels) {
    if (size >= known.size()) {
      return false;
    }
    Series series = known.get(size);
    return series.metric() == metric && series.labels() == labels;
  }
}
