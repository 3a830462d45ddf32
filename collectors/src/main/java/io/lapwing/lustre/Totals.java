package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counters of one target or file system, each summed over its contributors. Thread-safe: targets on
 * several threads add to the totals of their file system.
 */
final class Totals {

  private final Labels own;

  /** Sorted, so that the order of series does not depend on which target is read first. */
  private final SortedMap<Key, Line> lines =
      new TreeMap<>(Comparator.comparing(Key::metric).thenComparing(Key::label));

  private record Key(String metric, String label) {}

  private record Line(Metric metric, Labels labels, double perUnit, RunningTotal total) {}

  /**
   * Empty totals.
   *
   * @param own the first labels of all series
   */
  Totals(Labels own) {
    this.own = own;
  }

  /** A counter without further labels. */
  void note(Metric metric, String contributor, double counted) {
    note(metric, "", "", 1, contributor, counted, false);
  }

  /**
   * A counter with one further label.
   *
   * @param perUnit counted units per exported unit
   * @param late see {@link RunningTotal#note}
   */
  synchronized void note(
      Metric metric,
      String name,
      String value,
      double perUnit,
      String contributor,
      double counted,
      boolean late) {
    Key key = new Key(metric.name(), value);
    Line line = lines.get(key);
    if (line == null) {
      Labels labels = name.isEmpty() ? own : own.with(name, value);
      line = new Line(metric, labels, perUnit, new RunningTotal());
      lines.put(key, line);
    }
    line.total().note(contributor, counted, late);
  }

  synchronized void forget(String contributor) {
    lines.values().forEach(line -> line.total().forget(contributor));
  }

  /** Exports all, always in the same order. */
  synchronized void put(SampleSink sink) {
    for (Line line : lines.values()) {
      sink.add(line.metric(), line.labels(), line.total().value() / line.perUnit());
    }
  }
}
