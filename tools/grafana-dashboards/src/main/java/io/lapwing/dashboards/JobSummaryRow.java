package io.lapwing.dashboards;

import java.util.List;

/** The properties of a job, also of one that has ended, from recordings in the time range. */
final class JobSummaryRow {

  private static final String INFO = "job_id:lapwing_gpu_job_info:max";

  private JobSummaryRow() {}

  static Row summary() {
    return Row.of(
        "Job",
        job(),
        lastStep(),
        step(),
        stepTime(),
        tokens(),
        mfu(),
        lost(),
        slowest(),
        findings());
  }

  private static Panel job() {
    return Panel.table(
            "Job",
            "Who runs it, on how many nodes and GPUs, and when it was first and last seen within"
                + " the time range. A job that has ended is still listed if it ran in the range."
                + " Ranks that are not verified, because the kernel does not confirm who they are,"
                + " count in no other figure.",
            List.of(
                Column.of("Value #A", "State")
                    .scale(Scale.PLAIN.word(1, "running", "green").word(0, "ended", "blue")),
                Column.of("job_id", "Job"),
                Column.of("job_name", "Name"),
                Column.of("user", "User"),
                Column.of("account", "Account"),
                Column.of("partition", "Partition"),
                Column.of("Value #C", "First seen", Unit.TIME),
                Column.of("Value #D", "Last seen", Unit.TIME),
                Column.of("Value #E", "Nodes", Unit.COUNT),
                Column.of("Value #F", "GPUs", Unit.COUNT),
                Column.of("Value #G", "Ranks with steps", Unit.COUNT),
                Column.of("Value #H", "Not verified", Unit.COUNT)),
            Query.rows(
                """
                max by (cluster, job_id) (%1$s{job})
                  or 0 * max by (cluster, job_id) (last_over_time(%1$s{job}[$__range]))
                """
                    .formatted(INFO)),
            Query.rows(
                """
                max by (cluster, job_id, job_name, user, account, partition) (last_over_time(%1$s{job, user!=""}[$__range]))
                  or on (cluster, job_id) max by (cluster, job_id, job_name, user, account, partition) (last_over_time(%1$s{job}[$__range]))
                """
                    .formatted(INFO)),
            seen("min"),
            seen("max"),
            most("job_id:lapwing_nodes:count"),
            most("job_id:lapwing_gpus:allocated"),
            most("job_id:lapwing_training_ranks:count"),
            Query.rows(
                "max_over_time(count by (cluster, job_id) (lapwing_training_info{job, verified=\"0\"})[$__range:1m])"))
        .size(24, 4)
        .whenEmpty("No GPU was allocated to this job in the time range");
  }

  private static Query seen(String end) {
    return Query.rows(
        "1000 * "
            + end
            + " by (cluster, job_id) ("
            + end
            + "_over_time(timestamp(job_id:lapwing_nodes:count{job})[$__range:1m]))");
  }

  private static Query most(String recorded) {
    return Query.rows("max by (cluster, job_id) (max_over_time(" + recorded + "{job}[$__range]))");
  }

  private static Panel tile(String title, String description, Unit unit, String expr) {
    return Panel.stat(title, description, unit, Query.latest(expr, ""))
        .size(4, 4)
        .whenEmpty("No steps reported");
  }

  private static Panel lastStep() {
    return tile(
        "Time since the last step",
        "From the last finished step of any rank to the end of the time range.",
        Unit.DURATION,
        "time() - max(max_over_time(job_id:lapwing_training_last_step_timestamp_seconds:max{job}[$__range]))");
  }

  private static Panel step() {
    return tile(
            "Last step",
            "Last finished step, as counted by the training loop.",
            Unit.COUNT,
            "max(last_over_time(job_id:lapwing_training_last_step:max{job}[$__range]))")
        .decimals(0);
  }

  private static Panel stepTime() {
    return tile(
        "Step time",
        "Mean over all ranks and the time range.",
        Unit.SECONDS,
        "avg(avg_over_time(job_id:lapwing_training_step_seconds:mean5m{job}[$__range]))");
  }

  private static Panel tokens() {
    return tile(
            "Tokens per second",
            "Sum over all ranks, mean over the time range.",
            Unit.TOKENS_PER_SECOND,
            "sum(avg_over_time(job_id:lapwing_training_tokens:rate5m{job}[$__range]))")
        .decimals(0);
  }

  private static Panel mfu() {
    return tile(
        "MFU",
        "Model FLOPs utilization, mean over the time range: FLOPs of the model divided by the peak"
            + " of what the ranks hold. Of a GPU that several jobs share each holds an even part,"
            + " so one that uses more can exceed 100 %.",
        Unit.RATIO,
        "avg(avg_over_time(job_id:lapwing_training_mfu:avg{job}[$__range]))");
  }

  private static Panel lost() {
    return tile(
            "Lost time",
            "GPU-hours that the ranks lost within the time range, all causes; of a MIG instance or a"
                + " shared GPU the part that a rank holds.",
            Unit.GPU_HOURS,
            "sum(" + Ranks.lostGpuSeconds() + ") / 3600")
        .decimals(1);
  }

  private static Panel slowest() {
    return Panel.table(
            "Slowest ranks",
            "Compute time of a step relative to the median of the job's ranks, mean over the time"
                + " range, highest first. Ranks wait for each other, so the compute time"
                + " identifies a straggler and the step time does not.",
            List.of(
                Column.of("Value", "Of the median", Unit.RATIO)
                    .scale(Scale.rising(1.05, 1.2))
                    .width(110),
                Column.node(),
                Column.of("rank", "Rank"),
                Column.of("gpu", "GPU"),
                Column.of("run", "Run")),
            Query.rows(
                "topk($top, max by (cluster, instance, rank, gpu, run) (avg_over_time(rank:lapwing_training_compute_seconds:ratio_median10m{job}[$__range])))"))
        .size(10, 9)
        .whenEmpty("No rank reports compute time");
  }

  private static Panel findings() {
    String ofJob = Selectors.ofJob(Verdicts.findings("{cluster"));
    String by = " by (cluster, instance, rule, subject, gpu, action, severity) (";
    return Panel.table(
            "Findings on the job's nodes",
            "Findings that were open on a node while the job held GPUs there, also those that are"
                + " closed, worst first; and when they were first and last open within the time"
                + " range.",
            List.of(
                Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                Column.node(),
                Column.rule(),
                Column.of("subject", "On"),
                Column.of("gpu", "GPU").width(50),
                Column.of("action", "Action").scale(Scales.ACTION),
                Column.of("Value #B", "First", Unit.TIME),
                Column.of("Value #C", "Last", Unit.TIME)),
            Query.rows("sort_desc(max" + by + "max_over_time(" + ofJob + "[$__range:1m])))"),
            Query.rows("1000 * min" + by + "min_over_time(timestamp(" + ofJob + ")[$__range:1m]))"),
            Query.rows("1000 * max" + by + "max_over_time(timestamp(" + ofJob + ")[$__range:1m]))"))
        .size(14, 9)
        .whenEmpty("No findings on its nodes in this time range");
  }
}
