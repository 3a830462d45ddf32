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

  private final Map<List<String>, GpuLabels> instances = new HashMap<>();
  private final IdentityHashMap<Metric, Metric> unlisted = new IdentityHashMap<>();

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
    Map<List<String>, Labels> ofFamily = more.computeIfAbsent(metric, unseen -> new HashMap<>());
    Labels known = ofFamily.get(values);
    return known != null
        ? known // Without the lambda: hundreds of lookups in each round.
        : ofFamily.computeIfAbsent(values, unseen -> extended(metric, values));
  }

  /** The labels of a MIG instance: the GPU's, and the pair that dcgm-exporter has. */
  GpuLabels instance(String profile, int id) {
    return instances.computeIfAbsent(
        List.of(profile, String.valueOf(id)),
        unseen -> new GpuLabels(divided(foreign, profile, id), divided(own, profile, id)));
  }

  /** dcgm-exporter has the pair behind the model's name. */
  private static Labels divided(Labels whole, String profile, int id) {
    int model = whole.names().indexOf("modelName");
    int last = model < 0 ? whole.names().indexOf("UUID") : model;
    Labels labels = Labels.NONE;
    for (int i = 0; i < whole.names().size(); i++) {
      labels = labels.with(whole.names().get(i), whole.values().get(i));
      if (i == last) {
        labels = labels.with(MigMetrics.PROFILE, profile).with(MigMetrics.ID, String.valueOf(id));
      }
    }
    return labels;
  }

  /** The family, not exposed; the identical object for one family. */
  Metric unlisted(Metric metric) {
    return unlisted.computeIfAbsent(metric, Metric::unlisted);
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
