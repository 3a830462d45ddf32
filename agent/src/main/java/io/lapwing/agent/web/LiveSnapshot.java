package io.lapwing.agent.web;

import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.metric.Labels;
import io.lapwing.metric.MetricType;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The current values by JSON array name. Stale, hung and removed parts have no row or no numbers.
 */
public record LiveSnapshot(Instant at, Map<String, List<LiveRow>> tables, List<Problem> problems) {

  /**
   * A failing source (or its collector) is hung, down, starting or broken; {@code hungFor} is zero
   * unless hung.
   */
  public record Problem(
      String source, String collector, String state, String why, Duration hungFor) {}

  /** A GPU, an EFA device, a rank or another part of the node. Read-only once built. */
  public static final class LiveRow {

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Double> numbers = new LinkedHashMap<>();
    private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
    private final Map<String, Double> rates = new LinkedHashMap<>();
    private Optional<Instant> counted = Optional.empty();

    LiveRow() {}

    /** Names and other strings. */
    public Map<String, String> texts() {
      return texts;
    }

    public Map<String, Double> numbers() {
      return numbers;
    }

    /** The increase of counters per second between their last two readings. */
    public Map<String, Double> rates() {
      return rates;
    }

    /** Non-zero numbers by the value of a label. */
    public Map<String, Map<String, Double>> groups() {
      return groups;
    }

    /** When the counters were read, for rates. */
    public Optional<Instant> counted() {
      return counted;
    }

    void text(String name, String text) {
      if (!text.isEmpty()) {
        texts.merge(
            name,
            text,
            (present, added) ->
                List.of(present.split(", ")).contains(added) ? present : present + ", " + added);
      }
    }

    /** {@code perSecond} is negative after a reset of the counter, which has no rate then. */
    void addRate(LiveTable.Column column, double perSecond) {
      if (column instanceof LiveTable.Column.Value
          && Double.isFinite(perSecond)
          && perSecond >= 0) {
        rates.putIfAbsent(column.name(), perSecond);
      }
    }

    void add(LiveTable.Column column, Series series, double value, Instant at) {
      if (!Double.isFinite(value)) {
        return;
      }
      if (column instanceof LiveTable.Column.Value) {
        numbers.putIfAbsent(column.name(), value);
        if (series.metric().type() != MetricType.GAUGE && counted.isEmpty()) {
          counted = Optional.of(at);
        }
      } else if (value != 0 && column instanceof LiveTable.Column.By by) {
        groups
            .computeIfAbsent(by.name(), first -> new TreeMap<>())
            .merge(label(series.labels(), by.label()), value, Double::sum);
      } else if (value != 0 && column instanceof LiveTable.Column.Text label) {
        text(label.name(), label(series.labels(), label.label()));
      }
    }

    private static String label(Labels labels, String name) {
      int at = labels.names().indexOf(name);
      return at < 0 ? "" : labels.values().get(at);
    }
  }
}
