package io.lapwing.gpu;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The labels of a GPU; equal arguments return the identical object. Not thread-safe. */
public final class GpuLabels {

  private final Labels foreign;
  private final Labels own;
  private final IdentityHashMap<Metric, Map<List<String>, Labels>> more = new IdentityHashMap<>();

  /** Labels of the families with DCGM's names and of Lapwing's own. */
  public GpuLabels(Labels foreign, Labels own) {
    this.foreign = foreign;
    this.own = own;
  }

  Labels foreign() {
    return foreign;
  }

  Labels own() {
    return own;
  }

  public Labels of(Metric metric) {
    return metric.foreign() ? foreign : own;
  }

  /** The labels of a family with further labels; the values are for its last label names. */
  public Labels of(Metric metric, List<String> values) {
    return more.computeIfAbsent(metric, unseen -> new HashMap<>())
        .computeIfAbsent(values, unseen -> extended(metric, values));
  }

  private Labels extended(Metric metric, List<String> values) {
    List<String> names = metric.labels();
    Labels labels = of(metric);
    int first = names.size() - values.size();
    for (int i = 0; i < values.size(); i++) {
      labels = labels.with(names.get(first + i), values.get(i));
    }
    return labels;
  }
}
