package io.lapwing.inference;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of one engine's name for one model: a value, or a histogram. */
final class ModelMeasure {

  private final EngineSeries series;
  private final String model;
  private final Labels labels;
  private final Map<String, FoldedSeries> byOwn = new HashMap<>();
  private final List<FoldedSeries> inOrder = new ArrayList<>();

  ModelMeasure(EngineSeries series, String model, Labels labels) {
    this.series = series;
    this.model = model;
    this.labels = labels;
  }

  EngineSeries series() {
    return series;
  }

  String model() {
    return model;
  }

  /** Whether both are the same measure of the same model, under any name. */
  boolean sameMeasure(ModelMeasure other) {
    return series.engine() == other.series.engine()
        && series.measure() == other.series.measure()
        && model.equals(other.model);
  }

  boolean has(Metric metric, String own) {
    return byOwn.containsKey(key(metric, own));
  }

  /**
   * The series with that value of the measure's own label: the bound of a bucket verbatim, or the
   * reason of finished requests.
   */
  FoldedSeries series(Metric metric, String own) {
    return byOwn.computeIfAbsent(
        key(metric, own),
        unseen -> {
          String name = series.measure().ownLabel();
          Labels all = metric.labels().contains(name) ? labels.with(name, own) : labels;
          FoldedSeries made = new FoldedSeries(metric, all, series.fold());
          inOrder.add(made);
          return made;
        });
  }

  private static String key(Metric metric, String own) {
    return metric.suffix() + own;
  }

  List<FoldedSeries> inOrder() {
    return inOrder;
  }
}
