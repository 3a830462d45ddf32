package io.lapwing.dashboards;

import java.util.List;

/** The drain controller: its operations on nodes, and its limits. */
final class DrainDashboard {

  private DrainDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-drain",
        "Lapwing / Drain and repair",
        "What the drain controller does, what it waits for, and what stops it.",
        "1m",
        "now-24h",
        List.of(Variable.DATASOURCE, Variable.CLUSTER, Variable.DOCS),
        Annotation.of("lapwing_build_info{cluster}", false),
        List.of(
            DrainNowRow.now(),
            DrainHistoryRows.history(),
            DrainHistoryRows.times(),
            DrainHistoryRows.requests()));
  }
}
