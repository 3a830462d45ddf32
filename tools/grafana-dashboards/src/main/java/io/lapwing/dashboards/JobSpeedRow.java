package io.lapwing.dashboards;

/** Speed of a job, and of the same job before. */
final class JobSpeedRow {

  private JobSpeedRow() {}

  static Row speed() {
    return Row.of(
        "Speed, also compared with a job before",
        Panel.lines(
                "Step time of the ranks",
                "Slowest, median and fastest rank, and the 80 % in the middle. A single slow rank"
                    + " shows up in its compute time, below.",
                Unit.SECONDS,
                Bands.recorded("job_id_quantile:lapwing_training_step_seconds:mean5m"))
            .bands()
            .size(8, 8)
            .from(0),
        compared(
            "Step time, now and before",
            "Mean over all ranks; and of the same job, and of the one that is chosen to compare"
                + " with, as long before as is chosen above.",
            Unit.SECONDS,
            "job_id:lapwing_training_step_seconds:mean5m"),
        Panel.heat(
                "Step time distribution",
                "Steps per second by duration, over all ranks. A second band above comes from"
                    + " checkpoints, a slow file or retransmits.",
                Unit.SECONDS,
                Query.buckets(
                    "sum by (le) (job_id_le:lapwing_training_step_duration_seconds_bucket:rate5m{job})"))
            .size(8, 8),
        compared(
            "Tokens per second",
            "Sum over all ranks of the job, now and before.",
            Unit.TOKENS_PER_SECOND,
            "job_id:lapwing_training_tokens:rate5m"),
        compared(
            "Model FLOPs utilization",
            "FLOPs of the model divided by the peak of what the ranks hold, now and before.",
            Unit.RATIO,
            "job_id:lapwing_training_mfu:avg"),
        compared(
            "SM activity of the job's GPUs",
            "Share of time in which an SM had work, mean over the job's GPUs, and over its MIG"
                + " instances by their slices, now and before.",
            Unit.RATIO,
            "job_id:lapwing_gpu_sm_active:ratio_rate5m",
            Unsupported.ofJob()));
  }

  private static Panel compared(
      String title, String description, Unit unit, String recorded, Query... more) {
    Query[] queries = new Query[2 + more.length];
    queries[0] = Query.lines("avg by (job_id) (" + recorded + "{job})", "job {{job_id}}");
    queries[1] =
        Query.lines(
            "avg by (job_id) (" + recorded + "{jobs} offset $before)",
            "job {{job_id}}, $before before");
    System.arraycopy(more, 0, queries, 2, more.length);
    return Panel.lines(title, description, unit, queries).size(8, 8).from(0);
  }
}
