package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.FieldValues;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import java.time.Instant;
import java.util.List;

/**
 * One GPU in one round: the field values of all subjects, the device and the sink.
 *
 * @param nanos monotonic: the wall clock may be set
 */
record GpuRound(
    GpuSource.OpenGpu open,
    FieldValues values,
    GpuView.FieldSelection selection,
    Instant now,
    long nanos,
    SampleSink sink) {

  NvmlGpu gpu() {
    return open.gpu();
  }

  GpuIdentity identity() {
    return open.identity();
  }

  Reading<Double> field(FieldKey key) {
    return values.get(key);
  }

  Reading<Double> field(NvmlField field) {
    return values.get(field.whole());
  }

  void put(Metric metric, NvmlField field) {
    put(metric, field(field));
  }

  void put(Metric metric, Reading<? extends Number> reading) {
    Metric shown = selection.shown(metric);
    if (shown != null) {
      sink.put(shown, open.labels().of(metric), reading);
    }
  }

  /** Puts a sample with further labels; the values are for the family's last label names. */
  void put(Metric metric, List<String> labels, Reading<? extends Number> reading) {
    Metric shown = selection.shown(metric);
    if (shown != null) {
      sink.put(shown, open.labels().of(metric, labels), reading);
    }
  }

  void put(Metric metric, double value) {
    Metric shown = selection.shown(metric);
    if (shown != null) {
      sink.add(shown, open.labels().of(metric), value);
    }
  }

  void put(Metric metric, List<String> labels, double value) {
    Metric shown = selection.shown(metric);
    if (shown != null) {
      sink.add(shown, open.labels().of(metric, labels), value);
    }
  }

  /**
   * Puts a value of the whole GPU whose family its MIG instances have: as with dcgm-exporter, only
   * they are exposed then, and a sum over the family counts nothing twice. Rules read it in any
   * case.
   */
  void putHidden(Metric metric, Reading<? extends Number> reading) {
    Metric shown = selection.shown(metric);
    if (shown != null) {
      sink.put(open.labels().unlisted(shown), open.labels().of(metric), reading);
    }
  }

  void putHidden(Metric metric, double value) {
    putHidden(metric, Reading.of(value));
  }

  /** The same round with further fields, read now. */
  GpuRound with(List<FieldKey> more) {
    return new GpuRound(open, values.and(gpu().fields(more)), selection, now, nanos, sink);
  }

  /** The same round for a MIG instance of the GPU. */
  GpuRound of(MigInstance instance) {
    return of(open.labels().instance(instance.profile(), instance.id()));
  }

  /** The same round for a part of the GPU that has these labels. */
  GpuRound of(GpuLabels labels) {
    return new GpuRound(
        new GpuSource.OpenGpu(open.gpu(), open.identity(), labels, open.driverGeneration()),
        values,
        selection,
        now,
        nanos,
        sink);
  }

  /** Counts a failure of a reading that yields several samples or none; whether it is one. */
  boolean note(Reading<?> reading) {
    return sink.countFailure(reading);
  }
}
