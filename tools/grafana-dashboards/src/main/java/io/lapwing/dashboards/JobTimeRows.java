package io.lapwing.dashboards;

import java.util.List;

/** Lost time by cause, training metrics, and NCCL communicators. */
final class JobTimeRows {

  private JobTimeRows() {}

  static Row lost() {
    return Row.of(
        "Lost time",
        Panel.lines(
                "Lost time by cause",
                "Ranks' worth of time lost, by cause; a cause needs two independent pieces of"
                    + " evidence. A value equal to the number of ranks means that the job is"
                    + " stalled.",
                Unit.COUNT,
                Query.lines(
                    "sum by (cause) (job_id_cause:lapwing_training_lost_seconds:rate5m{job})",
                    "{{cause}}"))
            .stacked()
            .from(0)
            .size(10, 8),
        Panel.bars(
                "Total lost time by cause",
                "GPU-hours lost by all ranks within the time range.",
                Unit.GPU_HOURS,
                Query.latest(
                    "sort_desc(sum by (cause) (" + Ranks.lostGpuSeconds() + ")) / 3600",
                    "{{cause}}"))
            .decimals(2)
            .from(0)
            .size(7, 8),
        Panel.table(
                "Lost time by node",
                "GPU-hours lost by the ranks of a node within the time range, by cause, highest"
                    + " first.",
                List.of(
                    Column.of("Value", "Lost", Unit.GPU_HOURS),
                    Column.node(),
                    Column.of("cause", "Cause")),
                Query.rows(
                    "topk($top, sum by (cluster, instance, cause) ("
                        + Ranks.lostGpuSeconds()
                        + ") > 0) / 3600"))
            .size(7, 8)
            .whenEmpty("No lost time"));
  }

  static Row model() {
    return Row.folded(
        "Training metrics",
        scalar("Loss", "loss", "Last loss reported by the loop; mean over the ranks."),
        scalar(
            "Gradient norm",
            "gradient_norm",
            "Last gradient norm reported by the loop. A jump precedes a jump of the loss."),
        scalar("Learning rate", "learning_rate", "Last learning rate reported by the loop."));
  }

  private static Panel scalar(String title, String family, String description) {
    return Panel.lines(
            title,
            description,
            Unit.WORD,
            Query.lines(
                "avg by (run) " + Ranks.verified("lapwing_training_" + family + "{job}"),
                "{{run}}"))
        .size(8, 8);
  }

  static Row nccl() {
    return Row.folded(
        "NCCL on the job's nodes",
        Panel.table(
                "Communicators with missing ranks or errors",
                "Requires --nccl.ras: communicators on the job's nodes with ranks that did not"
                    + " answer, were declared dead, or have an asynchronous error, at any time in"
                    + " the range.",
                List.of(
                    Column.of("Value #A", "Missing", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("comm", "Communicator"),
                    Column.of("Value #B", "Missing on this node", Unit.COUNT),
                    Column.of("Value #C", "Dead", Unit.COUNT),
                    Column.of("Value #D", "In error", Unit.COUNT),
                    Column.of("Value #E", "Ranks", Unit.COUNT)),
                communicators("missing_ranks"),
                communicators("missing_ranks_here"),
                communicators("dead_ranks"),
                communicators("ranks_in_error"),
                communicators("ranks"))
            .size(12, 8)
            .whenEmpty("No data from NCCL RAS"),
        Panel.lines(
                "Time since the last collective operation",
                "Time since a rank started a collective operation, highest. All ranks at once is a"
                    + " hang; check the rank that stopped first.",
                Unit.SECONDS,
                Query.lines(
                    "topk($top, "
                        + Selectors.ofJob(
                            "max by (cluster, instance, comm, rank) (lapwing_nccl_collectives_still_seconds{cluster})")
                        + ")",
                    "{{instance}} {{comm}} rank {{rank}}"))
            .size(12, 8)
            .from(0)
            .whenEmpty("No data from NCCL RAS"));
  }

  /** NCCL reports no job, so communicators are matched by the job's nodes. */
  private static Query communicators(String family) {
    return Query.rows(
        "max by (cluster, instance, comm) (max_over_time("
            + Selectors.ofJob("lapwing_nccl_" + family + "{cluster}")
            + "[$__range:1m]))");
  }
}
