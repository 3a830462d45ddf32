package io.lapwing.agent.metrics;

import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The samples of the scrape response for a simpleclient registry. DCGM's counters come as {@code
 * unknown}: simpleclient would rename them, as OpenMetrics asks.
 */
public final class SnapshotCollector extends Collector {

  private final PageSamples samples;

  public SnapshotCollector(PageSamples samples) {
    this.samples = samples;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    Map<String, Metric> metrics = new LinkedHashMap<>();
    Map<String, List<MetricFamilySamples.Sample>> families = new LinkedHashMap<>();
    for (Samples part : samples.all(PresetFilter.none())) {
      for (int i = 0; i < part.size(); i++) {
        Series series = part.series().get(i);
        if (!series.metric().listed()) {
          continue;
        }
        metrics.putIfAbsent(series.metric().name(), series.metric());
        families
            .computeIfAbsent(series.metric().name(), unseen -> new ArrayList<>())
            .add(sample(series, part.value(i)));
      }
    }
    List<MetricFamilySamples> all = new ArrayList<>();
    metrics.forEach(
        (name, metric) ->
            all.add(
                new MetricFamilySamples(
                    name, type(metric), metric.help(), families.getOrDefault(name, List.of()))));
    return all;
  }

  private static MetricFamilySamples.Sample sample(Series series, double value) {
    return new MetricFamilySamples.Sample(
        series.metric().sampleName(), series.labels().names(), series.labels().values(), value);
  }

  private static Type type(Metric metric) {
    return switch (metric.type()) {
      case GAUGE -> Type.GAUGE;
      case HISTOGRAM -> Type.HISTOGRAM;
      case COUNTER -> metric.name().endsWith("_total") ? Type.COUNTER : Type.UNKNOWN;
    };
  }
}
