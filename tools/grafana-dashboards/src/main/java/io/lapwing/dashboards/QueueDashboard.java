package io.lapwing.dashboards;

import java.util.List;

/** What could start now, and why jobs wait. */
final class QueueDashboard {

  private QueueDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-queue",
        "Lapwing / Queue and capacity",
        "Which GPUs are free, lost or fragmented, and what jobs wait for; from the drain"
            + " controller.",
        "1m",
        "now-24h",
        List.of(Variable.DATASOURCE, Variable.CLUSTER, Variable.GROUPS, Variable.TOP),
        Annotation.of("lapwing_build_info{cluster}", false),
        List.of(QueueNowRow.now(), QueueHistoryRows.capacity(), QueueHistoryRows.waits()));
  }
}
