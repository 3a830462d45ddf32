package io.lapwing.agent.web;

import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Made-up live values. */
public final class MadeLive {

  public static final Instant NOW = Instant.parse("2026-11-20T05:18:02Z");

  private static final Metric ANY = Metric.counter("lapwing_any_total", "Any.");

  /** A node without parts. */
  public static final LiveSnapshot EMPTY = live(Map.of(), List.of());

  private MadeLive() {}

  private static LiveSnapshot live(
      Map<String, List<LiveRow>> some, List<LiveSnapshot.Problem> troubles) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(
        table -> tables.put(table.name(), some.getOrDefault(table.name(), List.of())));
    return new LiveSnapshot(NOW, tables, troubles);
  }

  /** A node on which every name is this one and every number is 7. */
  public static LiveSnapshot named(String name) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(table -> tables.put(table.name(), List.of(row(table, name))));
    return live(
        tables,
        List.of(new LiveSnapshot.Problem(name, name, "hung", "in " + name, Duration.ofSeconds(7))));
  }

  private static LiveRow row(LiveTable table, String name) {
    LiveRow row = new LiveRow();
    table.keys().forEach(key -> row.text(key, name));
    Series series = new Series(ANY, Labels.of("any", name));
    for (List<LiveTable.Column> columns : table.columns().values()) {
      for (LiveTable.Column column : columns) {
        if (column instanceof LiveTable.Column.Text) {
          row.text(column.name(), name);
        } else if (column instanceof LiveTable.Column.By) {
          row.add(new LiveTable.Column.By(ANY, column.name(), "any"), series, 7, NOW);
        } else {
          row.add(column, series, 7, NOW);
        }
      }
    }
    return row;
  }
}
