package io.lapwing.dashboards;

import java.util.List;

/** Progress and speed of a job, findings on its nodes, and training metrics. */
final class JobProgressRows {

  private JobProgressRows() {}

  static Row now() {
    return Row.of(
        "Progress and stragglers",
        Panel.stat(
                "Last step",
                "Time since any rank finished a step.",
                Unit.DURATION,
                Query.latest(
                    "time() - max("
                        + Ranks.verified("lapwing_training_last_step_timestamp_seconds{job}")
                        + ")",
                    ""))
            .scale(Scale.rising(120, 600))
            .size(4, 4),
        Panel.stat(
                "Step",
                "Last finished step, as counted by the training loop.",
                Unit.COUNT,
                Query.latest("max(" + Ranks.verified("lapwing_training_last_step{job}") + ")", ""))
            .decimals(0)
            .size(4, 4),
        Panel.stat(
                "Step time",
                "Mean over all ranks and five minutes.",
                Unit.SECONDS,
                Query.latest("avg(job_id:lapwing_training_step_seconds:mean5m{job})", ""))
            .size(4, 4),
        Panel.stat(
                "Tokens per second",
                "Sum over all ranks, mean over five minutes.",
                Unit.PER_SECOND,
                Query.latest("sum(job_id:lapwing_training_tokens:rate5m{job})", ""))
            .size(4, 4),
        Panel.stat(
                "MFU",
                "Model FLOPs utilization, mean over all ranks: FLOPs of the model divided by the"
                    + " peak of the GPUs.",
                Unit.RATIO,
                Query.latest("avg(job_id:lapwing_training_mfu:avg{job})", ""))
            .size(4, 4),
        Panel.stat(
                "Ranks and nodes",
                "Ranks that report steps, and their nodes. Not verified are those of which the"
                    + " kernel does not confirm who they are; other figures leave them out.",
                Unit.COUNT,
                Query.latest(
                    "count(max by (cluster, instance, rank) ("
                        + Ranks.verified("lapwing_training_last_step{job}")
                        + "))",
                    "ranks"),
                Query.latest("count(lapwing_training_info{job, verified=\"0\"})", "not verified"),
                Query.latest("sum(job_id:lapwing_nodes:count{job})", "nodes"))
            .size(4, 4),
        Panel.table(
                "Slowest ranks",
                "Compute time of a step relative to the median of the job's ranks, highest first."
                    + " Ranks wait for each other, so the compute time identifies a straggler and"
                    + " the step time does not.",
                List.of(
                    Column.of("Value", "Of the median").scale(Scale.rising(1.05, 1.2)).width(110),
                    Column.node(),
                    Column.of("rank", "Rank"),
                    Column.of("gpu", "GPU"),
                    Column.of("run", "Run")),
                Query.rows("sort_desc(rank:lapwing_training_compute_seconds:ratio_median10m{job})"))
            .size(12, 9)
            .whenEmpty("No rank reports compute time"),
        Panel.table(
                "Findings on the job's nodes",
                "Findings on the nodes of the job, worst first.",
                List.of(
                    Column.of("Value", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("action", "Action").scale(Scales.ACTION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{cluster")
                        + " and on (cluster, instance) "
                        + Ranks.verified("lapwing_training_last_step{job}")
                        + ")"))
            .size(12, 9)
            .whenEmpty("No findings on its nodes"));
  }

  static Row speed() {
    return Row.of(
        "Speed",
        Panel.lines(
                "Step time by rank",
                "Mean step time. A single slow rank shows up in its compute time, below.",
                Unit.SECONDS,
                JobTimeRows.perStep("step_seconds", Ranks::verified, ""),
                JobTimeRows.perStep("step_seconds", Ranks::unverified, Ranks.MARK))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.heat(
                "Step time distribution",
                "Number of steps by duration, over all ranks. A second band above comes from"
                    + " checkpoints, a slow file or retransmits.",
                Unit.SECONDS,
                Query.buckets(
                    "sum by (le) "
                        + Ranks.verified(
                            "increase(lapwing_training_step_duration_seconds_bucket{job}[$__rate_interval])")))
            .size(8, 8),
        Panel.lines(
                "Tokens per second",
                "Sum over all ranks of the job.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (cluster, job_id) (job_id:lapwing_training_tokens:rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Model FLOPs utilization",
                "Mean over the ranks of each node.",
                Unit.RATIO,
                Query.lines(
                    "avg by (instance) " + Ranks.verified("lapwing_training_mfu_ratio{job}"),
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "SM activity of the job's GPUs",
                "Share of time in which an SM had work, mean over the job's GPUs.",
                Unit.RATIO,
                Query.lines(
                    "avg by (cluster, job_id) (job_id:lapwing_gpu_sm_active:ratio_rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "EFA retransmit ratio",
                "Share of the packets of the job's nodes that SRD retransmitted.",
                Unit.RATIO,
                Query.lines(
                    "max by (cluster, job_id) (job_id:lapwing_efa_retransmits:ratio_rate5m{job})",
                    "job {{job_id}}"))
            .size(8, 8)
            .from(0));
  }

  static Row model() {
    return Row.of(
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
}
