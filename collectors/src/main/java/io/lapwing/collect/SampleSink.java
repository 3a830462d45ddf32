package io.lapwing.collect;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;

public interface SampleSink {

  void add(Metric metric, Labels labels, double value);

  /** Counts one failed read in {@code lapwing_collector_read_errors_total}. */
  void failed(String question, String reason);

  /** Counts the failure of a reading; false if it did not fail. */
  default boolean countFailure(Reading<?> reading) {
    if (reading instanceof Reading.Failed<?> failed) {
      failed(failed.question(), failed.reason());
      return true;
    }
    return false;
  }

  /** Adds a sample for a value, counts a failure, and ignores an unsupported value. */
  default void put(Metric metric, Labels labels, Reading<? extends Number> reading) {
    if (reading instanceof Reading.Present<? extends Number> present) {
      add(metric, labels, present.value().doubleValue());
    }
    countFailure(reading);
  }
}
