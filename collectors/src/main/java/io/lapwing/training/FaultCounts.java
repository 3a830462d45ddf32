package io.lapwing.training;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many files and records were not taken, by reason. Thread-safe. */
final class FaultCounts {

  private final Map<Rejection, Count> files = new EnumMap<>(Rejection.class);
  private final Map<RecordFault, Count> records = new EnumMap<>(RecordFault.class);

  /** From zero on: the first of a reason is an increase. */
  private record Count(Labels labels, LongAdder number) {

    static Count of(String reason) {
      return new Count(Labels.of("reason", reason), new LongAdder());
    }

    void put(Metric metric, SampleSink sink) {
      sink.add(metric, labels, number.doubleValue());
    }
  }

  FaultCounts() {
    for (Rejection why : Rejection.values()) {
      files.put(why, Count.of(why.reason()));
    }
    for (RecordFault why : RecordFault.values()) {
      records.put(why, Count.of(why.reason()));
    }
  }

  void file(Rejection why) {
    increment(files.get(why));
  }

  void record(RecordFault why) {
    increment(records.get(why));
  }

  private static void increment(@Nullable Count count) {
    if (count != null) {
      count.number().increment();
    }
  }

  void put(SampleSink sink) {
    files.values().forEach(count -> count.put(TrainingMetrics.FILES_REJECTED, sink));
    records.values().forEach(count -> count.put(TrainingMetrics.RECORDS_REJECTED, sink));
  }
}
