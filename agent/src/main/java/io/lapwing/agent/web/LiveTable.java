package io.lapwing.agent.web;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An array of {@code /api/v1/live}.
 *
 * @param keys the labels that identify a row
 * @param columns by sample name
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

  /** The row of a series; empty if it lacks a label, for example removed by a field file. */
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

  /** How the series of one family appear in a row. */
  sealed interface Column {

    Metric metric();

    /** The JSON member. */
    String name();

    /** A number. */
    record Value(Metric metric, String name) implements Column {}

    /** An object of non-zero numbers by the value of a label. */
    record By(Metric metric, String name, String label) implements Column {}

    /** The label values of the non-zero series, separated by commas. */
    record Text(Metric metric, String name, String label) implements Column {}
  }
}
