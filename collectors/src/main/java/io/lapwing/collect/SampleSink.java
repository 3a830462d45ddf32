package io.lapwing.collect;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;

/** Where a collector puts what it saw during one run. */
public interface SampleSink {

  void add(Metric metric, Labels labels, double value);

  /** Counts one failed read in {@code lapwing_collector_read_errors_total}. */
  void failed(String question, String reason);

  /**
   * An answer becomes a sample, a failure is counted, a thing that is not there leaves no trace.
   */
  default void put(Metric metric, Labels labels, Reading<? extends Number> reading) {
    if (reading instanceof Reading.Present<? extends Number> present) {
      add(metric, labels, present.value().doubleValue());
    } else if (reading instanceof Reading.Failed<? extends Number> failed) {
      failed(failed.question(), failed.reason());
    }
  }
}
