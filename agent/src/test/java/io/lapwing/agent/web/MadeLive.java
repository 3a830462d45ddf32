package io.lapwing.agent.web;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Live values that nobody read. */
public final class MadeLive {

  public static final Instant NOW = Instant.parse("2026-11-20T05:18:02Z");

  private static final Metric ANY = Metric.counter("lapwing_any_total", "Any.");

  /** Of a node on which nothing is. */
  public static final Live EMPTY = live(Map.of(), List.of());

  private MadeLive() {}

  private static Live live(Map<String, List<LiveRow>> some, List<Live.Trouble> troubles) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(
        table -> tables.put(table.name(), some.getOrDefault(table.name(), List.of())));
    return new Live(NOW, tables, troubles);
  }

  /** Of a node on which everything that has a name has this one, and every number is 7. */
  public static Live named(String name) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(table -> tables.put(table.name(), List.of(row(table, name))));
    return live(
        tables, List.of(new Live.Trouble(name, name, "hung", "in " + name, Duration.ofSeconds(7))));
  }

  private static LiveRow row(LiveTable table, String name) {
    LiveRow row = new LiveRow();
    table.keys().forEach(key -> row.text(key, name));
    Series series = new Series(ANY, Labels.of("any", name));
    for (List<Column> columns : table.columns().values()) {
      for (Column column : columns) {
        if (column instanceof Column.Text) {
          row.text(column.name(), name);
        } else if (column instanceof Column.By) {
          row.add(new Column.By(ANY, column.name(), "any"), series, 7, NOW);
        } else {
          row.add(column, series, 7, NOW);
        }
      }
    }
    return row;
  }
}
