package io.lapwing.dashboards;

import java.util.List;

/** One training job across its nodes. */
final class JobDashboard {

  private JobDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-job",
        "Lapwing / Training job",
        "One job across its nodes, running or ended, with or without code in its loop: who, when,"
            + " where, how fast, and what went wrong.",
        "30s",
        "now-12h",
        List.of(
            Variable.DATASOURCE,
            Variable.CLUSTER,
            Variable.ONE_JOB,
            Variable.BEFORE,
            Variable.OTHER_JOB,
            Variable.TOP,
            Variable.LINES,
            Variable.DOCS),
        Annotation.of("instance_job_id:lapwing_gpus:allocated{job}", true),
        List.of(
            JobSummaryRow.summary(),
            JobNodesRow.nodes(),
            JobSpeedRow.speed(),
            JobRanksRow.ranks(),
            JobTimeRows.lost(),
            JobCheckpointRow.checkpoints(),
            JobTimeRows.model(),
            JobCollectivesRow.collectives(),
            JobTimeRows.nccl()));
  }
}
