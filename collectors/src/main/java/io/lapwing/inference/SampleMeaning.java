package io.lapwing.inference;

import io.lapwing.exposition.SampleNames;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a line of an engine's page is.
 *
 * @param metric what its value becomes
 * @param bucket whether it is one of a histogram's buckets
 */
record SampleMeaning(EngineSeries series, Metric metric, boolean bucket) {

  private static final Map<String, SampleMeaning> BY_NAME = byName();

  /** The names of all such lines, and what all names of engines begin with. */
  static final SampleNames NAMES = SampleNames.of(BY_NAME.keySet(), Engine.PREFIXES);

  /** Of a line of that name; null where it has none. */
  static @Nullable SampleMeaning of(String name) {
    return BY_NAME.get(name);
  }

  private static Map<String, SampleMeaning> byName() {
    Map<String, SampleMeaning> all = new HashMap<>();
    for (EngineSeries series : EngineSeries.ALL) {
      Measure measure = series.measure();
      if (measure.isHistogram()) {
        all.put(series.name() + "_bucket", new SampleMeaning(series, measure.metric(), true));
        all.put(series.name() + "_sum", new SampleMeaning(series, measure.sum(), false));
        all.put(series.name() + "_count", new SampleMeaning(series, measure.count(), false));
      } else {
        all.put(series.name(), new SampleMeaning(series, measure.metric(), false));
      }
    }
    return all;
  }
}
