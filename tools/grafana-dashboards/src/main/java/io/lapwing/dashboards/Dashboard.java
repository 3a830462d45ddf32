package io.lapwing.dashboards;

import java.util.List;

/**
 * A dashboard.
 *
 * @param uid part of the URL; never changes
 * @param refresh refresh interval, such as {@code 1m}
 * @param from default start of the time range, such as {@code now-6h}
 * @param annotations events that every graph shows
 */
public record Dashboard(
    String uid,
    String title,
    String description,
    String refresh,
    String from,
    List<Variable> variables,
    List<Annotation> annotations,
    List<Row> rows) {

  /** Tag of every dashboard; the links between dashboards use it. */
  public static final String TAG = "lapwing";

  /** With all rows open. */
  Dashboard unfolded() {
    List<Row> open = rows.stream().map(row -> new Row(row.title(), false, row.panels())).toList();
    return new Dashboard(uid, title, description, refresh, from, variables, annotations, open);
  }

  public List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
