package io.lapwing.dashboards;

import java.util.List;

/** Who comes last into collectives and who takes no part, by Lapwing's profiler plugin for NCCL. */
final class JobCollectivesRow {

  private static final String EMPTY = "No data from NCCL's profiler plugin";

  private JobCollectivesRow() {}

  static Row collectives() {
    return Row.folded(
        "Late ranks in collectives",
        Panel.lines(
                "Share of time that a node's ranks wait for a rank",
                "Requires Lapwing's NCCL profiler plugin: the ranks that enter collectives"
                    + " latest, after the first rank of their node. A rank that stays on top is"
                    + " slow; if the top changes, the work is uneven.",
                Unit.RATIO,
                Query.lines(
                    "topk($top, "
                        + ofTheJob(
                            "max by (cluster, instance, comm, rank, gpu) (rate(lapwing_nccl_profiler_late_seconds_total{cluster}[$__rate_interval]))")
                        + ")",
                    "{{instance}} GPU {{gpu}} {{comm}} rank {{rank}}"))
            .size(8, 8)
            .from(0)
            .whenEmpty(EMPTY)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Share of time that other nodes wait for a node",
                "Requires Lapwing's NCCL profiler plugin: by how much less the latest rank of a"
                    + " node waits than the median of its communicator on all nodes, the ten"
                    + " highest.",
                Unit.RATIO,
                Query.lines(
                    "topk($top, "
                        + ofTheJob(
                            "max by (cluster, instance) (instance_comm:lapwing_nccl_late:ratio10m{cluster})")
                        + ")",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .whenEmpty(EMPTY)
            .link(Link.NODE_OF_LINE),
        Panel.table(
                "Ranks that take no part in a collective",
                "Requires Lapwing's NCCL profiler plugin: others on the node have been in the"
                    + " collective for five seconds or longer. not_entered: look at the process;"
                    + " not_started: at its GPU; gone: the process has ended.",
                List.of(
                    Column.of("state", "State"),
                    Column.node(),
                    Column.of("gpu", "GPU"),
                    Column.of("comm", "Communicator"),
                    Column.of("rank", "Rank"),
                    Column.of("operation", "Operation"),
                    Column.of("Value", "Number", Unit.WORD)),
                Query.rows(
                    ofTheJob(
                        "max by (cluster, instance, comm, rank, gpu, operation, state) (lapwing_nccl_profiler_behind_sequence{cluster})")))
            .size(8, 8)
            .whenEmpty("No rank is behind"));
  }

  /** Rings know no job that all nodes agree on, so communicators are matched by its nodes. */
  private static String ofTheJob(String expr) {
    return expr + " and on (cluster, instance) instance_job_id:lapwing_gpus:allocated{job}";
  }
}
