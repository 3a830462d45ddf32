package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counters of one target or one file system, each summed up over those that add to it. Thread-safe:
 * targets on several threads add to their file system's.
 */
final class Totals {

  private final Labels own;

  /** Sorted: which target is read first must not decide on the order of a page. */
  private final SortedMap<Key, Line> lines =
      new TreeMap<>(Comparator.comparing(Key::metric).thenComparing(Key::label));

  private record Key(String metric, String label) {}

  private record Line(Metric metric, Labels labels, double perUnit, RunningTotal total) {}

  /**
   * None yet.
   *
   * @param own what all series carry first
   */
  Totals(Labels own) {
    this.own = own;
  }

  /** A counter without labels of its own. */
  void note(Metric metric, String who, double counted) {
    note(metric, "", "", 1, who, counted, false);
  }

  /**
   * A counter with one label of its own.
   *
   * @param perUnit how many of what is counted make one of what is told
   * @param late see {@link RunningTotal#note}
   */
  synchronized void note(
      Metric metric,
      String name,
      String value,
      double perUnit,
      String who,
      double counted,
      boolean late) {
    Key key = new Key(metric.name(), value);
    Line line = lines.get(key);
    if (line == null) {
      Labels labels = name.isEmpty() ? own : own.with(name, value);
      line = new Line(metric, labels, perUnit, new RunningTotal());
      lines.put(key, line);
    }
    line.total().note(who, counted, late);
  }

  synchronized void forget(String who) {
    lines.values().forEach(line -> line.total().forget(who));
  }

  /** All of them, always in the same order. */
  synchronized void put(SampleSink sink) {
    for (Line line : lines.values()) {
      sink.add(line.metric(), line.labels(), line.total().value() / line.perUnit());
    }
  }
}
