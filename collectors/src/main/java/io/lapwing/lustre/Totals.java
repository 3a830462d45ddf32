package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
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

  Totals(Labels own) {
    this.own = own;
  }

  void note(Metric metric, String contributor, double counted) {
    note(metric, "", "", 1, contributor, counted, false);
  }

  /** A counter with one further label; {@code perUnit} counted units are one exported unit. */
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

  /**
   * A counter that sums mounts or targets. Counts of those unmounted, cleared or unreadable are
   * kept: a decrease would look like a counter reset and count the whole sum again.
   */
  static final class RunningTotal {

    private final Map<String, Double> last = new HashMap<>();
    private double total;

    /**
     * Updates one contributor's count; a lower one than before is a counter reset. If its first
     * read failed, it is late: its initial count may be old and is not added.
     */
    void note(String contributor, double counted, boolean late) {
      Double before = last.put(contributor, counted);
      if (before == null) {
        total += late ? 0 : counted;
      } else {
        total += counted >= before ? counted - before : counted;
      }
    }

    /** Drops a contributor that will not return, but keeps its count in the total. */
    void forget(String contributor) {
      last.remove(contributor);
    }

    double value() {
      return total;
    }
  }
}
