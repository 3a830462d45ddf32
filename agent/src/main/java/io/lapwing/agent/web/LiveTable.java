package io.lapwing.agent.web;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One array of {@code /api/v1/live}.
 *
 * @param keys the labels that tell its rows apart
 * @param columns by the name of the samples that they are made of
 */
record LiveTable(String name, List<String> keys, Map<String, List<Column>> columns) {

  static LiveTable of(String name, List<String> keys, List<Column> columns) {
    Map<String, List<Column>> bySample = new HashMap<>();
    for (Column column : columns) {
      bySample
          .computeIfAbsent(column.metric().sampleName(), first -> new ArrayList<>())
          .add(column);
    }
    return new LiveTable(name, keys, bySample);
  }

  List<Column> columns(Series series) {
    return columns.getOrDefault(series.metric().sampleName(), List.of());
  }

  /** The row of a series; empty for one that lacks a label, as after a field file took it away. */
  Optional<List<String>> key(Labels labels) {
    List<String> values = new ArrayList<>(keys.size());
    for (String key : keys) {
      int at = labels.names().indexOf(key);
      if (at < 0) {
        return Optional.empty();
      }
      values.add(labels.values().get(at));
    }
    return Optional.of(values);
  }
}
