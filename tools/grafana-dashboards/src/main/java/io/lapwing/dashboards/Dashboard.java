package io.lapwing.dashboards;

import java.util.List;

/**
 * One dashboard, top to bottom.
 *
 * @param uid part of its address, and so never changed
 * @param refresh how often a browser asks anew: {@code 1m}
 * @param from where the time range begins at first: {@code now-6h}
 */
public record Dashboard(
    String uid,
    String title,
    String description,
    String refresh,
    String from,
    List<Variable> variables,
    List<Row> rows) {

  /** What every dashboard carries, so that each links to all. */
  public static final String TAG = "lapwing";

  public List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
