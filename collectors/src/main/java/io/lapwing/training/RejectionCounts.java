package io.lapwing.training;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.LabelWord;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.StepFile.Rejection;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts rejected files and records by reason. Thread-safe. */
final class RejectionCounts {

  private final Map<Rejection, Count> files = new EnumMap<>(Rejection.class);
  private final Map<RecordFault, Count> records = new EnumMap<>(RecordFault.class);

  /** Exposed from zero, so that {@code increase()} sees the first one. */
  private record Count(Labels labels, LongAdder number) {

    static Count of(String reason) {
      return new Count(Labels.of("reason", reason), new LongAdder());
    }

    void put(Metric metric, SampleSink sink) {
      sink.add(metric, labels, number.doubleValue());
    }
  }

  RejectionCounts() {
    for (Rejection why : Rejection.values()) {
      files.put(why, Count.of(why.text()));
    }
    for (RecordFault why : RecordFault.values()) {
      records.put(why, Count.of(why.text()));
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

  /** Why a record is not counted. */
  enum RecordFault implements LabelWord {
    /** Its writer never finished it. */
    TORN,
    /** Negative, NaN, or longer than a week. */
    BAD_DURATION,
    /** Before 2000, or more than five minutes in the future. */
    BAD_START,
    /** It ends before the previous record. */
    CLOCK_BACK,
    /** Impossible totals, or an impossible number of a step. */
    BAD_TOTALS,
    /** A checkpoint in the future, or one that became durable before the last one. */
    BAD_CHECKPOINT;
  }
}
