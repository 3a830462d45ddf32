package io.lapwing.dashboards;

/** The last durable checkpoint of a job, and the loss of a stop. */
final class JobCheckpointRow {

  private JobCheckpointRow() {}

  static Row checkpoints() {
    return Row.of(
        "Checkpoints",
        Panel.stat(
                "A stop loses",
                "Time since the state of the last durable checkpoint, or since the start of the"
                    + " loop if none is durable. Of several ranks that report one, the oldest"
                    + " counts. Of a job that has ended, what its end lost.",
                Unit.DURATION,
                Query.latest(
                    "max(last_over_time(job_id:lapwing_training_unsaved_seconds:max{job}[$__range]))",
                    ""))
            .size(8, 4)
            .whenEmpty("Not reported"),
        Panel.stat(
                "GPU-hours at risk",
                "The same time, multiplied by the GPUs of the job.",
                Unit.GPU_HOURS,
                Query.latest(
                    "sum(last_over_time(job_id:lapwing_training_unsaved_gpu_seconds:max{job}[$__range])) / 3600",
                    ""))
            .decimals(1)
            .size(8, 4)
            .whenEmpty("Not reported"),
        Panel.stat(
                "Step of the checkpoint",
                "Last step in the last durable checkpoint, as counted by the training loop.",
                Unit.COUNT,
                Query.latest(
                    "min(last_over_time("
                        + Ranks.verified("lapwing_training_last_checkpoint_step{job}")
                        + "[$__range:1m]))",
                    ""))
            .decimals(0)
            .size(8, 4)
            .whenEmpty("Not reported"),
        Panel.lines(
                "Work since the last durable checkpoint",
                "Drops each time a checkpoint becomes durable. A line that keeps rising is a saver"
                    + " that hangs or has died.",
                Unit.SECONDS,
                Query.lines(
                    "max by (cluster, job_id) (job_id:lapwing_training_unsaved_seconds:max{job})",
                    "job {{job_id}}"))
            .size(12, 8)
            .from(0)
            .whenEmpty("No rank reports durable checkpoints"),
        Panel.lines(
                "Checkpoint time",
                "Share of time in which the loop was blocked by checkpoints: the rank with the"
                    + " longest, and the mean.",
                Unit.RATIO,
                blocked("max"),
                blocked("avg"))
            .size(12, 8)
            .between(0, 1)
            .whenEmpty("No rank reports checkpoints"));
  }

  private static Query blocked(String aggregation) {
    return Query.lines(
        aggregation
            + Ranks.verified(
                "rate(lapwing_training_checkpoint_seconds_total{job}[$__rate_interval])"),
        aggregation.equals("max") ? "longest" : "mean");
  }
}
