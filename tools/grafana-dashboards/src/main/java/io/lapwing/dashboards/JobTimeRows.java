package io.lapwing.dashboards;

import java.util.List;

/** Where the time of the steps goes: by rank, by part, by cause; and what NCCL says. */
final class JobTimeRows {

  private JobTimeRows() {}

  static Row ranks() {
    return Row.of(
        "Where the time of a step goes",
        part(
            "Computing, by rank",
            "compute_seconds",
            "Time of a step that the GPU computed. A straggler computes"
                + " longer than the others."),
        part(
            "Waiting for others, by rank",
            "communication_wait_seconds",
            "Time of a step that the rank waited for others. The straggler itself waits least."),
        part(
            "Waiting for input, by rank",
            "data_wait_seconds",
            "Time of a step that the loop waited for its input."));
  }

  private static Panel part(String title, String family, String description) {
    return Panel.lines(
            title,
            description,
            Unit.SECONDS,
            Query.lines(
                """
                sum by (instance, rank) (rate(lapwing_training_%s_total{job}[$__rate_interval]))
                  / (sum by (instance, rank) (rate(lapwing_training_steps_total{job}[$__rate_interval])) > 0)
                """
                    .formatted(family),
                "{{instance}} rank {{rank}}"))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  static Row lost() {
    return Row.of(
        "What the job loses time to",
        Panel.lines(
                "Lost, by cause",
                "GPU-seconds a second that the steps of all ranks lost; two independent signs name the cause. As many"
                    + " as there are ranks means that nothing moves.",
                Unit.SECONDS,
                Query.lines(
                    "sum by (cause) (job_id_cause:lapwing_training_lost_seconds:rate5m{job})",
                    "{{cause}}"))
            .stacked()
            .from(0)
            .size(10, 8),
        Panel.bars(
                "Lost in this time, by cause",
                "GPU-seconds that the steps of all ranks lost within the time range.",
                Unit.SECONDS,
                Query.latest(
                    "sort_desc(sum by (cause) (increase(lapwing_training_lost_seconds_total{job}[$__range])))",
                    "{{cause}}"))
            .from(0)
            .size(7, 8),
        Panel.table(
                "Lost, by node",
                "GPU-seconds that the steps of the ranks of a node lost within the time range, and to what, the most"
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
            .whenEmpty("No step lost time"),
        Panel.states(
                "What each rank says it is doing",
                "The phase that the loop of each rank names.",
                Scale.PLAIN
                    .word(0, "unknown", "gray")
                    .word(1, "starting", "blue")
                    .word(2, "training", "green")
                    .word(3, "evaluation", "purple")
                    .word(4, "checkpoint", "yellow")
                    .word(5, "ended", "gray"),
                Query.lines(
                    """
                    max by (instance, rank) (
                      1 * (lapwing_training_phase{job, phase="starting"} == 1)
                      or 2 * (lapwing_training_phase{job, phase="training"} == 1)
                      or 3 * (lapwing_training_phase{job, phase="evaluation"} == 1)
                      or 4 * (lapwing_training_phase{job, phase="checkpoint"} == 1)
                      or 5 * (lapwing_training_phase{job, phase="ended"} == 1)
                      or 0 * (lapwing_training_phase{job, phase="unknown"} == 1))
                    """,
                    "{{instance}} rank {{rank}}"))
            .size(12, 8),
        Panel.lines(
                "Standing still for checkpoints",
                "Share of time in which the loop stood still for saving, by rank.",
                Unit.RATIO,
                Query.lines(
                    "sum by (instance, rank) (rate(lapwing_training_checkpoint_seconds_total{job}[$__rate_interval]))",
                    "{{instance}} rank {{rank}}"))
            .size(12, 8)
            .between(0, 1)
            .whenEmpty("No rank tells of checkpoints"));
  }

  static Row nccl() {
    return Row.of(
        "What NCCL says on the job's nodes",
        Panel.table(
                "Communicators that miss ranks or have errors",
                "Where --nccl.ras is given: communicators on the job's nodes with ranks that did not answer, were given"
                    + " up, or have an asynchronous error.",
                List.of(
                    Column.of("Value #A", "Missing", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("comm", "Communicator"),
                    Column.of("Value #B", "Missing here", Unit.COUNT),
                    Column.of("Value #C", "Given up", Unit.COUNT),
                    Column.of("Value #D", "In error", Unit.COUNT),
                    Column.of("Value #E", "Ranks", Unit.COUNT)),
                communicators("missing_ranks"),
                communicators("missing_ranks_here"),
                communicators("dead_ranks"),
                communicators("ranks_in_error"),
                communicators("ranks"))
            .size(12, 8)
            .whenEmpty("NCCL's RAS tells nothing here"),
        Panel.lines(
                "No new collective operation for",
                "For how long a rank has begun no collective operation. All at once is a hang; the one that stopped"
                    + " first is where to look.",
                Unit.SECONDS,
                Query.lines(
                    ofTheJob(
                        "max by (cluster, instance, comm, rank) (lapwing_nccl_collectives_still_seconds{cluster})"),
                    "{{instance}} {{comm}} rank {{rank}}"))
            .size(12, 8)
            .from(0)
            .whenEmpty("NCCL's RAS tells nothing here"));
  }

  private static Query communicators(String family) {
    return Query.rows(
        ofTheJob("max by (cluster, instance, comm) (lapwing_nccl_" + family + "{cluster})"));
  }

  /** NCCL knows no job: it is the one on whose nodes the ranks are. */
  private static String ofTheJob(String expr) {
    return expr + " and on (cluster, instance) lapwing_training_last_step{job}";
  }
}
