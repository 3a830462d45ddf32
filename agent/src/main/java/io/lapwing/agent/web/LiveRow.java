package io.lapwing.agent.web;

import io.lapwing.metric.Labels;
import io.lapwing.metric.MetricType;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One part of the node: a GPU, an EFA device, a rank. Filled once, then only read. */
public final class LiveRow {

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, Double> numbers = new LinkedHashMap<>();
  private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
  private Optional<Instant> counted = Optional.empty();

  LiveRow() {}

  /** What it is called, and other words. */
  public Map<String, String> texts() {
    return texts;
  }

  public Map<String, Double> numbers() {
    return numbers;
  }

  /** Numbers by the value of a label, without those that are 0. */
  public Map<String, Map<String, Double>> groups() {
    return groups;
  }

  /** When its counters were read: what rates are made of. */
  public Optional<Instant> counted() {
    return counted;
  }

  void text(String name, String text) {
    if (!text.isEmpty()) {
      texts.merge(name, text, (had, more) -> had.equals(more) ? had : had + ", " + more);
    }
  }

  void add(Column column, Series series, double value, Instant at) {
    if (!Double.isFinite(value)) {
      return;
    }
    if (column instanceof Column.Value) {
      numbers.putIfAbsent(column.name(), value);
      if (series.metric().type() != MetricType.GAUGE && counted.isEmpty()) {
        counted = Optional.of(at);
      }
    } else if (value != 0 && column instanceof Column.By by) {
      groups
          .computeIfAbsent(by.name(), first -> new TreeMap<>())
          .merge(label(series.labels(), by.label()), value, Double::sum);
    } else if (value != 0 && column instanceof Column.Text words) {
      text(words.name(), label(series.labels(), words.label()));
    }
  }

  private static String label(Labels labels, String name) {
    int at = labels.names().indexOf(name);
    return at < 0 ? "" : labels.values().get(at);
  }
}
