package io.lapwing.gpu;

import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Fields that are exposed unchanged, each as a metric. */
final class FieldSamples {

  private final Map<NvmlField, Metric> metrics;
  private final List<FieldKey> keys;

  FieldSamples(Map<NvmlField, Metric> metrics) {
    this.metrics = new EnumMap<>(metrics);
    this.keys = this.metrics.keySet().stream().map(NvmlField::whole).toList();
  }

  List<FieldKey> keys() {
    return keys;
  }

  void put(GpuRound round) {
    metrics.forEach((field, metric) -> round.put(metric, field));
  }
}
