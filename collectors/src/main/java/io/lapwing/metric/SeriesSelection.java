package io.lapwing.metric;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The series of some families among those of a collector. Applied to run after run it costs one
 * array of doubles, and the list of series stays the identical object, so that a renderer can cache
 * its layout. Immutable.
 */
public final class SeriesSelection {

  private final List<Series> selected;
  private final int[] indexes;
  private final Samples.Size size;
  private final boolean whole;

  private SeriesSelection(List<Series> all, int[] indexes) {
    this.indexes = indexes;
    this.whole = indexes.length == all.size();
    this.selected = whole ? all : IntStream.of(indexes).mapToObj(all::get).toList();
    this.size = Samples.Size.of(selected);
  }

  public static SeriesSelection of(List<Series> all, Predicate<Metric> families) {
    return new SeriesSelection(
        all,
        IntStream.range(0, all.size()).filter(i -> families.test(all.get(i).metric())).toArray());
  }

  /** The selected samples of a run with these series. */
  public Samples from(Samples run) {
    if (whole) {
      return run;
    }
    double[] values = new double[indexes.length];
    for (int i = 0; i < indexes.length; i++) {
      values[i] = run.value(indexes[i]);
    }
    return new Samples(selected, values, size);
  }
}
