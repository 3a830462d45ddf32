package io.lapwing.agent.judge;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** Whose series to take. */
  interface Owner {
    /** The values of the labels behind the owner's own; empty for a series of somebody else. */
    Optional<List<String>> more(Series series);
  }

  /**
   * The series of one GPU. DCGM's families that rules read have one value a GPU, whatever a field
   * file labels them with.
   */
  static Owner gpu(String uuid) {
    return series -> {
      Labels labels = series.labels();
      int at = labels.names().indexOf(UUID);
      if (at < 0 || !labels.values().get(at).equals(uuid)) {
        return Optional.empty();
      }
      return Optional.of(series.metric().foreign() ? List.of() : behind(labels, OWN_LABELS));
    };
  }

  /** The series that begin with some labels. */
  static Owner labelled(Labels own) {
    int count = own.names().size();
    return series -> {
      Labels labels = series.labels();
      return labels.names().size() >= count
              && labels.names().subList(0, count).equals(own.names())
              && labels.values().subList(0, count).equals(own.values())
          ? Optional.of(behind(labels, count))
          : Optional.empty();
    };
  }

  private static List<String> behind(Labels labels, int own) {
    List<String> values = labels.values();
    return List.copyOf(values.subList(Math.min(own, values.size()), values.size()));
  }

  /**
   * The places of what somebody has.
   *
   * @param wanted names of families
   */
  static SeriesIndex of(List<Series> series, Owner owner, Set<String> wanted) {
    SeriesIndex index = new SeriesIndex(series);
    for (int i = 0; i < series.size(); i++) {
      Series one = series.get(i);
      if (wanted.contains(one.metric().name())) {
        index.add(one.metric().sampleName(), owner.more(one), i);
      }
    }
    return index;
  }

  private void add(String name, Optional<List<String>> labels, int at) {
    labels.ifPresent(
        more -> places.computeIfAbsent(name, unseen -> new HashMap<>()).putIfAbsent(more, at));
  }

  @SuppressWarnings("ReferenceEquality") // a collector keeps its list while its series stay
  boolean fits(List<Series> now) {
    return series == now;
  }

  /** By the values of the labels behind the owner's own: where among the samples. */
  Map<List<String>, Integer> places(Metric metric) {
    return places.getOrDefault(metric.sampleName(), Map.of());
  }
}
