package io.lapwing.dashboards;

import java.util.List;

/**
 * A dashboard.
 *
 * @param uid part of the URL; never changes
 * @param refresh refresh interval, such as {@code 1m}
 * @param from default start of the time range, such as {@code now-6h}
 */
public record Dashboard(
    String uid,
    String title,
    String description,
    String refresh,
    String from,
    List<Variable> variables,
    List<Row> rows) {

  /** Tag of every dashboard; the links between dashboards use it. */
  public static final String TAG = "lapwing";

  public List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
