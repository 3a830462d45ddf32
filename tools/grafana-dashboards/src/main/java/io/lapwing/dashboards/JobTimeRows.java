package io.lapwing.dashboards;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Step time by rank and phase, lost time by cause, and NCCL communicators. */
final class JobTimeRows {

  private JobTimeRows() {}

  static Row ranks() {
    return Row.of(
        "Step time breakdown",
        part(
            "Compute time by rank",
            "compute_seconds",
            "Compute time per step. A straggler computes longer than the others."),
        part(
            "Communication wait by rank",
            "communication_wait_seconds",
            "Time per step spent waiting for other ranks. A straggler itself waits least."),
        part(
            "Data wait by rank",
            "data_wait_seconds",
            "Time per step spent waiting for input data."));
  }

  private static Panel part(String title, String family, String description) {
    return Panel.lines(
            title,
            description,
            Unit.SECONDS,
            perStep(family, Ranks::verified, ""),
            perStep(family, Ranks::unverified, Ranks.MARK))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  /** A time by rank and step; the mark follows the names of the ranks. */
  static Query perStep(String family, UnaryOperator<String> which, String mark) {
    return Query.lines(
        "sum by (instance, rank) %s / (sum by (instance, rank) %s > 0)"
            .formatted(
                which.apply("rate(lapwing_training_" + family + "_total{job}[$__rate_interval])"),
                which.apply("rate(lapwing_training_steps_total{job}[$__rate_interval])")),
        "{{instance}} rank {{rank}}" + mark);
  }

  private static Query phases(UnaryOperator<String> which, String mark) {
    return Query.lines(
        "max by (instance, rank) (1 * (%s == 1) or 2 * (%s == 1) or 3 * (%s == 1) or 4 * (%s == 1) or 5 * (%s == 1) or 0 * (%s == 1))"
            .formatted(
                Stream.of("starting", "training", "evaluation", "checkpoint", "ended", "unknown")
                    .map(phase -> "lapwing_training_phase{job, phase=\"" + phase + "\"}")
                    .map(which)
                    .toArray()),
        "{{instance}} rank {{rank}}" + mark);
  }

  static Row lost() {
    return Row.of(
        "Lost time",
        Panel.lines(
                "Lost time by cause",
                "GPU-seconds lost per second over all ranks; a cause needs two independent pieces"
                    + " of evidence. A value equal to the number of ranks means that the job is"
                    + " stalled.",
                Unit.SECONDS,
                Query.lines(
                    "sum by (cause) (job_id_cause:lapwing_training_lost_seconds:rate5m{job})",
                    "{{cause}}"))
            .stacked()
            .from(0)
            .size(10, 8),
        Panel.bars(
                "Total lost time by cause",
                "GPU-seconds lost by all ranks within the time range.",
                Unit.SECONDS,
                Query.latest(
                    "sort_desc(sum by (cause) (increase(lapwing_training_lost_seconds_total{job}[$__range])))",
                    "{{cause}}"))
            .from(0)
            .size(7, 8),
        Panel.table(
                "Lost time by node",
                "GPU-seconds lost by the ranks of a node within the time range, by cause, highest"
                    + " first.",
                List.of(
                    Column.of("Value", "Lost", Unit.SECONDS),
                    Column.node(),
                    Column.of("cause", "Cause")),
                Query.rows(
                    """
                    sort_desc(sum by (cluster, instance, cause) (
                      increase(lapwing_training_lost_seconds_total{job}[$__range])) > 0)
                    """))
            .size(7, 8)
            .whenEmpty("No lost time"),
        Panel.states(
                "Phase by rank",
                "Phase reported by the training loop of each rank.",
                Scale.PLAIN
                    .word(0, "unknown", "gray")
                    .word(1, "starting", "blue")
                    .word(2, "training", "green")
                    .word(3, "evaluation", "purple")
                    .word(4, "checkpoint", "yellow")
                    .word(5, "ended", "gray"),
                phases(Ranks::verified, ""),
                phases(Ranks::unverified, Ranks.MARK))
            .size(24, 8));
  }

  static Row nccl() {
    return Row.of(
        "NCCL on the job's nodes",
        Panel.table(
                "Communicators with missing ranks or errors",
                "Requires --nccl.ras: communicators on the job's nodes with ranks that did not"
                    + " answer, were declared dead, or have an asynchronous error.",
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
                "Time since a rank started a collective operation. All ranks at once is a hang;"
                    + " check the rank that stopped first.",
                Unit.SECONDS,
                Query.lines(
                    ofTheJob(
                        "max by (cluster, instance, comm, rank) (lapwing_nccl_collectives_still_seconds{cluster})"),
                    "{{instance}} {{comm}} rank {{rank}}"))
            .size(12, 8)
            .from(0)
            .whenEmpty("No data from NCCL RAS"));
  }

  private static Query communicators(String family) {
    return Query.rows(
        ofTheJob("max by (cluster, instance, comm) (lapwing_nccl_" + family + "{cluster})"));
  }

  /** NCCL reports no job, so communicators are matched by the job's nodes. */
  private static String ofTheJob(String expr) {
    return expr
        + " and on (cluster, instance) "
        + Ranks.verified("lapwing_training_last_step{job}");
  }
}
