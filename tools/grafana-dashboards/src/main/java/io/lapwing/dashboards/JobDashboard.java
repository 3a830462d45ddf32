package io.lapwing.dashboards;

import java.util.List;

/** One training job across its nodes. */
final class JobDashboard {

  private JobDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-job",
        "Lapwing / Training job",
        "One training job across its nodes: progress, speed, lost time and its causes.",
        "30s",
        "now-3h",
        List.of(Variable.DATASOURCE, Variable.CLUSTER, Variable.ONE_JOB),
        List.of(
            JobProgressRows.now(),
            JobProgressRows.speed(),
            JobTimeRows.ranks(),
            JobTimeRows.lost(),
            JobCheckpointRow.checkpoints(),
            JobProgressRows.model(),
            JobCollectivesRow.collectives(),
            JobTimeRows.nccl()));
  }
}
