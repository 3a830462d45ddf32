package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.lustre.Totals.RunningTotal;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Histograms summed over the contributors of a target or file system. Bounds are fixed: the kernel
 * omits trailing empty rows, and buckets that come and go cannot be summed. Thread-safe.
 */
final class HistogramTotals {

  private final Labels own;
  private final Map<Metric, Metric> counts = new HashMap<>();

  private final SortedMap<Key, Columns> histograms =
      new TreeMap<>(
          Comparator.comparing((Key key) -> key.metric().name()).thenComparing(Key::operation));

  private record Key(Metric metric, String operation) {}

  /** One total per bucket, the last for values above all bounds. */
  private record Columns(List<Labels> buckets, Labels labels, List<RunningTotal> totals) {}

  HistogramTotals(Labels own) {
    this.own = own;
  }

  synchronized void note(
      Metric metric,
      String operation,
      int[] bounds,
      String contributor,
      RpcStatsFile.RpcHistogram seen,
      boolean late) {
    Columns columns =
        histograms.computeIfAbsent(
            new Key(metric, operation), key -> columns(own.with("operation", operation), bounds));
    double[] counted = new double[bounds.length + 1];
    for (int row = 0; row < seen.bounds().size(); row++) {
      int bucket = 0;
      while (bucket < bounds.length && bounds[bucket] < seen.bounds().get(row)) {
        bucket++;
      }
      counted[bucket] += seen.counts().get(row);
    }
    for (int bucket = 0; bucket <= bounds.length; bucket++) {
      columns.totals().get(bucket).note(contributor, counted[bucket], late);
    }
  }

  private static Columns columns(Labels labels, int[] bounds) {
    List<Labels> buckets = new ArrayList<>();
    List<RunningTotal> totals = new ArrayList<>();
    for (int bound : bounds) {
      buckets.add(labels.with(Metric.LE, bound + ".0"));
      totals.add(new RunningTotal());
    }
    buckets.add(labels.with(Metric.LE, "+Inf"));
    totals.add(new RunningTotal());
    return new Columns(buckets, labels, totals);
  }

  synchronized void forget(String contributor) {
    histograms.values().forEach(one -> one.totals().forEach(total -> total.forget(contributor)));
  }

  synchronized void put(SampleSink sink) {
    histograms.forEach(
        (key, columns) -> {
          double sum = 0;
          for (int bucket = 0; bucket < columns.totals().size(); bucket++) {
            sum += columns.totals().get(bucket).value();
            sink.add(key.metric(), columns.buckets().get(bucket), sum);
          }
          sink.add(count(key.metric()), columns.labels(), sum);
        });
  }

  /** Samples are matched by the identity of their family. */
  private Metric count(Metric metric) {
    return counts.computeIfAbsent(metric, Metric::count);
  }
}
