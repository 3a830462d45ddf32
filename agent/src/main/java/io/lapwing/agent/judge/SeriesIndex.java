package io.lapwing.agent.judge;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the values of some families stand among the samples of one collector. Holds for as long as
 * the collector writes the same series.
 */
final class SeriesIndex {

  private static final String UUID = "UUID";

  /** {@code gpu} and {@code UUID} come first in Lapwing's own families. */
  private static final int OWN_LABELS = 2;

  private final List<Series> series;
  private final Map<String, Map<List<String>, Integer>> places = new HashMap<>();

  private SeriesIndex(List<Series> series) {
    this.series = series;
  }

  /**
   * The places of what one GPU has.
   *
   * @param wanted names of families
   */
  static SeriesIndex of(List<Series> series, String gpu, Set<String> wanted) {
    SeriesIndex index = new SeriesIndex(series);
    for (int i = 0; i < series.size(); i++) {
      Series one = series.get(i);
      if (wanted.contains(one.metric().name()) && isOf(gpu, one.labels())) {
        index
            .places
            .computeIfAbsent(one.metric().name(), unseen -> new HashMap<>())
            .putIfAbsent(more(one), i);
      }
    }
    return index;
  }

  private static boolean isOf(String gpu, Labels labels) {
    int at = labels.names().indexOf(UUID);
    return at >= 0 && labels.values().get(at).equals(gpu);
  }

  /**
   * DCGM's families that rules read have one value a GPU, whatever a field file labels them with.
   */
  private static List<String> more(Series series) {
    List<String> values = series.labels().values();
    return series.metric().foreign()
        ? List.of()
        : List.copyOf(values.subList(Math.min(OWN_LABELS, values.size()), values.size()));
  }

  @SuppressWarnings("ReferenceEquality") // a collector keeps its list while its series stay
  boolean fits(List<Series> now) {
    return series == now;
  }

  /** By the values of the labels behind the GPU's own: where among the samples. */
  Map<List<String>, Integer> places(Metric metric) {
    return places.getOrDefault(metric.name(), Map.of());
  }
}
