package io.lapwing.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The series of a collector that are shown, possibly under other names and in other units. Applied
 * to run after run it costs one array of doubles, and the list of series stays the identical
 * object, so that a renderer can cache its layout. Thread-safe.
 */
public final class SeriesSelection {

  private final List<Series> selected;
  private final List<Value> values;
  private final Samples.Size size;
  private final boolean whole;
  private volatile @Nullable Kept kept;

  /** A family as it is shown, and its value of the collected one. */
  public record Shown(Metric metric, DoubleUnaryOperator value) {

    private static final DoubleUnaryOperator SAME = DoubleUnaryOperator.identity();

    /** With the collected value. */
    public static Shown as(Metric metric) {
      return new Shown(metric, SAME);
    }

    @SuppressWarnings("ReferenceEquality") // an unchanged family is passed on as it is
    private boolean isSame(Metric collected) {
      return metric == collected && value == SAME;
    }
  }

  private record Kept(Samples run, Samples selected) {}

  private record Value(int index, DoubleUnaryOperator of) {}

  private SeriesSelection(
      List<Series> selected, List<Value> values, Samples.Size size, boolean whole) {
    this.selected = selected;
    this.values = values;
    this.size = size;
    this.whole = whole;
  }

  /** {@code shown}: what is shown of a family; nothing, the family itself, or other ones. */
  public static SeriesSelection of(List<Series> all, Function<Metric, List<Shown>> shown) {
    List<Series> selected = new ArrayList<>();
    List<Value> values = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < all.size(); i++) {
      Series series = all.get(i);
      for (Shown one : shown.apply(series.metric())) {
        boolean isSame = one.isSame(series.metric());
        same &= isSame;
        selected.add(isSame ? series : new Series(one.metric(), series.labels()));
        values.add(new Value(i, one.value()));
      }
    }
    boolean whole = same && selected.size() == all.size();
    List<Series> kept = whole ? all : List.copyOf(selected);
    return new SeriesSelection(kept, List.copyOf(values), Samples.Size.of(kept), whole);
  }

  /** The selected samples of a run with these series; the same ones again for the same run. */
  @SuppressWarnings("ReferenceEquality") // a collector that did not run since has the same samples
  public Samples from(Samples run) {
    if (whole) {
      return run;
    }
    Kept before = kept;
    if (before == null || before.run() != run) {
      before = new Kept(run, select(run));
      kept = before;
    }
    return before.selected();
  }

  private Samples select(Samples run) {
    double[] now = new double[values.size()];
    for (int i = 0; i < now.length; i++) {
      Value value = values.get(i);
      now[i] = value.of().applyAsDouble(run.value(value.index()));
    }
    return new Samples(selected, now, size);
  }
}
