package io.lapwing.dashboards;

import java.util.List;

/**
 * Whether the job moves and how fast, which of its nodes are not well, and how the model learns.
 */
final class JobProgressRows {

  private JobProgressRows() {}

  static Row now() {
    return Row.of(
        "Does it move, and who holds it up",
        Panel.stat(
                "Last step ended",
                "How long ago any rank finished a step.",
                Unit.DURATION,
                Query.latest("time() - max(lapwing_training_last_step_timestamp_seconds{job})", ""))
            .scale(Scale.rising(120, 600))
            .size(4, 4),
        Panel.stat(
                "Step",
                "The last finished step, as the loop counts.",
                Unit.COUNT,
                Query.latest("max(lapwing_training_last_step{job})", ""))
            .decimals(0)
            .size(4, 4),
        Panel.stat(
                "Step time",
                "Mean over all ranks and five minutes.",
                Unit.SECONDS,
                Query.latest("avg(job_id:lapwing_training_step_seconds:mean5m{job})", ""))
            .size(4, 4),
        Panel.stat(
                "Tokens a second",
                "Of all ranks together, over five minutes.",
                Unit.PER_SECOND,
                Query.latest("sum(job_id:lapwing_training_tokens:rate5m{job})", ""))
            .size(4, 4),
        Panel.stat(
                "Model FLOPs",
                "Model FLOPs utilisation, mean over all ranks: what the model needs by what the GPUs could do.",
                Unit.RATIO,
                Query.latest("avg(job_id:lapwing_training_mfu:avg{job})", ""))
            .size(4, 4),
        Panel.stat(
                "Ranks and nodes",
                "Ranks that tell of their steps, and the nodes that they are on.",
                Unit.COUNT,
                Query.latest(
                    "count(max by (cluster, instance, rank) (lapwing_training_last_step{job}))",
                    "ranks"),
                Query.latest("sum(job_id:lapwing_nodes:count{job})", "nodes"))
            .size(4, 4),
        Panel.table(
                "Slowest ranks",
                "Compute time of a step by the median over the job's ranks, the most first. Ranks wait for each other,"
                    + " so it is not the step time but the computing that tells who holds the others up.",
                List.of(
                    Column.of("Value", "By the median").scale(Scale.rising(1.05, 1.2)).width(110),
                    Column.node(),
                    Column.of("rank", "Rank"),
                    Column.of("gpu", "GPU"),
                    Column.of("run", "Run")),
                Query.rows("sort_desc(rank:lapwing_training_compute_seconds:ratio_median10m{job})"))
            .size(12, 9)
            .whenEmpty("No rank tells what of a step is computing"),
        Panel.table(
                "Findings on the job's nodes",
                "What is wrong with the nodes that the job runs on, the worst first.",
                List.of(
                    Column.of("Value", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("action", "What to do").scale(Scales.ACTION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{cluster")
                        + " and on (cluster, instance) lapwing_training_last_step{job})"))
            .size(12, 9)
            .whenEmpty("Nothing was found on its nodes"));
  }

  static Row speed() {
    return Row.of(
        "How fast",
        Panel.lines(
                "Step time, by rank",
                "Mean time of a step. One rank alone that is slower shows in its computing, below.",
                Unit.SECONDS,
                Query.lines(
                    """
                    sum by (instance, rank) (rate(lapwing_training_step_seconds_total{job}[$__rate_interval]))
                      / (sum by (instance, rank) (rate(lapwing_training_steps_total{job}[$__rate_interval])) > 0)
                    """,
                    "{{instance}} rank {{rank}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.heat(
                "Step times",
                "How many steps took how long, over all ranks. A second band above is what only some of them meet:"
                    + " checkpoints, a slow file, a path that retransmits.",
                Unit.SECONDS,
                Query.buckets(
                    "sum by (le) (increase(lapwing_training_step_duration_seconds_bucket{job}[$__rate_interval]))"))
            .size(8, 8),
        Panel.lines(
                "Tokens a second",
                "Of all ranks of the job together.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (cluster, job_id) (job_id:lapwing_training_tokens:rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Model FLOPs utilisation",
                "Mean over the ranks of each node.",
                Unit.RATIO,
                Query.lines("avg by (instance) (lapwing_training_mfu_ratio{job})", "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "SMs active of the job's GPUs",
                "Share of time in which an SM had work, mean over the job's GPUs.",
                Unit.RATIO,
                Query.lines(
                    "avg by (cluster, job_id) (job_id:lapwing_gpu_sm_active:ratio_rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "EFA packets sent again",
                "Share of the packets of the job's nodes that SRD had to send again.",
                Unit.RATIO,
                Query.lines(
                    "max by (cluster, job_id) (job_id:lapwing_efa_retransmits:ratio_rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .from(0));
  }

  static Row model() {
    return Row.of(
        "How the model learns",
        scalar("Loss", "loss", "Loss as the loop told it last; the mean over the ranks."),
        scalar(
            "Norm of the gradients",
            "gradient_norm",
            "Norm of the gradients as the loop told it last. One that jumps comes before a loss that does."),
        scalar("Learning rate", "learning_rate", "Learning rate as the loop told it last."));
  }

  private static Panel scalar(String title, String family, String description) {
    return Panel.lines(
            title,
            description,
            Unit.WORD,
            Query.lines("avg by (run) (lapwing_training_" + family + "{job})", "{{run}}"))
        .size(8, 8);
  }
}
