package io.lapwing.training;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;

/** The metric families of training loops; totals are exact even if records were missed. */
public final class TrainingMetrics {

  /** The first labels of every series of a rank. */
  static final List<String> BASE = List.of("job_id", "run", "rank", "local_rank", "gpu");

  /** The kinds of parallelism, in the order of the file. */
  static final List<String> PARALLEL = List.of("dp", "tp", "pp", "cp", "ep");

  /** The labels of a rank that has ended: the job as in the names of parts, the uid of its user. */
  private static final String[] GONE = {
    "job_id", "run", "rank", "UUID", "pid", "owner", "job_confirmed"
  };

  /** The further labels of the info series. */
  static final List<String> INFO_LABELS = infoLabels();

  public static final Metric RANKS =
      gauge(
          "lapwing_training_ranks",
          "Ranks of training jobs that are read on this node (step files).");
  public static final Metric RANKS_OMITTED =
      gauge(
          "lapwing_training_ranks_omitted",
          "Ranks of training jobs that run on this node and are not read, because their user or the node has too many (step files).");
  public static final Metric FILES_REJECTED =
      counter(
          "lapwing_training_files_rejected_total",
          "Files in the steps folder that are not read, or no longer read, by reason; counted once until the reason changes (step files).",
          "reason");
  public static final Metric RECORDS_REJECTED =
      counter(
          "lapwing_training_records_rejected_total",
          "Step records that were not counted because of an impossible value, by reason (step files).",
          "reason");
  public static final Metric INFO =
      gauge(
          "lapwing_training_info",
          "Rank metadata; the value is always 1: GPU and MIG instance, place in the parallel layout, numeric precision, framework and process (header of the step file); verified is 1 if the kernel confirms who the rank is, and health rules use no others (file locks, procfs).",
          labels(INFO_LABELS));

  /** The label {@code verified} as a value, for rules. */
  public static final Metric VERIFIED =
      rankGauge(
              "lapwing_training_rank_verified",
              "Whether the kernel confirms who the rank is (file locks, procfs).")
          .unlisted();

  /** The uid of the writer, for rules: ranks of two users are not compared. */
  public static final Metric OWNER =
      rankGauge(
              "lapwing_training_rank_owner",
              "The uid of the user that runs the rank (owner of the step file).")
          .unlisted();

  /** The pod of the writer's cgroup: no user can choose it, unlike the name of the job. */
  public static final Metric POD =
      gauge(
              "lapwing_training_rank_pod_info",
              "The uid of the pod in which the rank's process is; the value is always 1 (PID/cgroup).",
              labels(List.of("pod_uid")))
          .unlisted();

  public static final Metric STEP_DURATION =
      Metric.histogram(
          "lapwing_training_step_duration_seconds",
          "Step durations since the agent first read the rank; missed records are not included (duration of the records).",
          rankLabels());
  static final Metric STEP_DURATION_COUNT = STEP_DURATION.count();
  static final Metric STEP_DURATION_SUM = STEP_DURATION.sum();
  public static final Metric STEPS =
      rankCounter("lapwing_training_steps_total", "Finished steps (total of the records).");
  public static final Metric TOKENS =
      rankCounter(
          "lapwing_training_tokens_total",
          "Tokens processed by this rank's GPU (total of the records).");
  public static final Metric SAMPLES =
      rankCounter(
          "lapwing_training_samples_total",
          "Samples processed by this rank's GPU (total of the records).");
  public static final Metric STEP_SECONDS =
      rankCounter(
          "lapwing_training_step_seconds_total", "Total time of all steps (total of the records).");
  public static final Metric DATA_WAIT_SECONDS =
      rankCounter(
          "lapwing_training_data_wait_seconds_total",
          "Time that the loop waited for input (total of the records).");
  public static final Metric COMPUTE_SECONDS =
      rankCounter(
          "lapwing_training_compute_seconds_total",
          "Time that the GPU computed (total of the records).");
  public static final Metric COMMUNICATION_WAIT_SECONDS =
      rankCounter(
          "lapwing_training_communication_wait_seconds_total",
          "Time that the rank waited for other ranks (total of the records).");
  public static final Metric CHECKPOINT_SECONDS =
      rankCounter(
          "lapwing_training_checkpoint_seconds_total",
          "Time that the loop was blocked by checkpointing, within and between steps (total of the records).");
  public static final Metric RUN_DELAY_SECONDS =
      rankCounter(
          "lapwing_training_run_delay_seconds_total",
          "Time that the main thread of the rank's process was ready to run and waited for a processor, since its start; read every 15 s (PID/schedstat).");
  public static final Metric LAST_STEP =
      rankGauge(
          "lapwing_training_last_step",
          "Number of the last finished step, as the loop counts (step of the last record).");
  public static final Metric LAST_STEP_TIME =
      rankGauge(
          "lapwing_training_last_step_timestamp_seconds",
          "When the last finished step ended (start and duration of the last record).");
  public static final Metric LAST_CHECKPOINT =
      rankGauge(
          "lapwing_training_last_checkpoint_step",
          "Last step in the last durable checkpoint, as the loop counts; absent if unknown (header of the step file).");
  public static final Metric LAST_CHECKPOINT_TIME =
      gauge(
          "lapwing_training_last_checkpoint_timestamp_seconds",
          "When the last checkpoint became durable, and who reports it: loop, framework (its callback), or the file that megatron, deepspeed or dcp write last; absent before the first (header of the step file).",
          labels(List.of("reporter")));
  public static final Metric UNSAVED_SINCE =
      rankGauge(
          "lapwing_training_unsaved_since_timestamp_seconds",
          "A stop now loses the work since then: the end of the last step in a durable checkpoint, or the start of the loop if that is later; absent if the loop does not report checkpoints (header of the step file).");
  public static final Metric USUAL_STEP =
      rankGauge(
          "lapwing_training_usual_step_seconds",
          "Median duration of the last 128 steps; absent before the 8th (duration of the records).");
  public static final Metric LOSS =
      rankGauge(
          "lapwing_training_loss",
          "Last reported loss, within the last 256 steps (loss of the records).");
  public static final Metric GRADIENT_NORM =
      rankGauge(
          "lapwing_training_gradient_norm",
          "Last reported gradient norm, within the last 256 steps (gradient norm of the records).");
  public static final Metric LEARNING_RATE =
      rankGauge(
          "lapwing_training_learning_rate",
          "Last reported learning rate, within the last 256 steps (learning rate of the records).");
  public static final Metric TOKENS_PER_SECOND =
      rankGauge(
          "lapwing_training_tokens_per_second",
          "Tokens per second of this rank's GPU over the last minute of steps, at least two (records).");
  public static final Metric FLOPS_PER_TOKEN =
      rankGauge(
          "lapwing_training_model_flops_per_token",
          "Floating-point operations of the model per token, forward and backward, as reported by the loop (header of the step file).");
  public static final Metric MFU =
      rankGauge(
          "lapwing_training_mfu_ratio",
          "Model FLOPs utilization: FLOPs per token times tokens per second divided by the GPU's dense peak for the precision of the info series, on a MIG instance by its slices of that; fp16 and no precision count as bf16; absent for tf32, fp4 and unknown ones (records, instances.csv).");
  public static final Metric PHASE =
      gauge(
          "lapwing_training_phase",
          "1 for the phase that the loop reports, 0 for all others (phase in the header of the step file).",
          labels(List.of("phase")));
  public static final Metric PHASE_TIME =
      rankGauge(
          "lapwing_training_phase_start_timestamp_seconds",
          "When the current phase started (phase in the header of the step file).");
  public static final Metric WAITING =
      rankGauge(
          "lapwing_training_waiting_for_ranks",
          "1 while the rank is in a collective and waits for other ranks, 0 while it is at its own work; absent if the loop does not report it (waiting in the header of the step file).");

  /** For rules: when {@link #WAITING} changed. */
  public static final Metric WAITING_TIME =
      rankGauge(
              "lapwing_training_waiting_start_timestamp_seconds",
              "When the rank began to wait for other ranks, or its own work (waiting in the header of the step file).")
          .unlisted();

  /** For rules: the stack frame of a loop that finishes no step, if the user enables it. */
  public static final Metric FRAME =
      gauge(
              "lapwing_training_frame",
              "1 for the frame of the program in which a rank that finishes no step is (header of the step file).",
              labels(List.of("frame")))
          .unlisted();

  /** For rules: the {@link ProcessState} of a rank that finishes no step, unless it is active. */
  public static final Metric PROCESS_STATE =
      gauge(
              "lapwing_training_process_state",
              "1 for the state of the process of a rank that finishes no step (procfs).",
              labels(List.of("state")))
          .unlisted();

  /** For rules: a rank whose process ended before its loop did, and when that was noticed. */
  public static final Metric RANK_GONE =
      gauge(
              "lapwing_training_rank_gone_timestamp_seconds",
              "When a rank's process was found gone without the phase ended (file locks, procfs).",
              GONE)
          .unlisted();

  /** For rules: how many ranks of its job on this node outlived a rank that has ended. */
  public static final Metric RANK_OUTLIVED =
      gauge(
              "lapwing_training_rank_outlived",
              "Ranks of the job on this node that outlived a rank that is gone (file locks, procfs).",
              GONE)
          .unlisted();

  public static final Metric MISSED =
      rankCounter(
          "lapwing_training_missed_records_total",
          "Records that were overwritten before they were read; totals include them (sequence of the records).");

  private TrainingMetrics() {}

  private static List<String> infoLabels() {
    List<String> all = new ArrayList<>(List.of("UUID", "world_size"));
    PARALLEL.forEach(kind -> all.add(kind + "_rank"));
    PARALLEL.forEach(kind -> all.add(kind + "_size"));
    all.addAll(List.of("precision", "framework", "pid", "verified", "GPU_I_ID"));
    return List.copyOf(all);
  }

  private static String[] rankLabels() {
    return labels(List.of());
  }

  private static String[] labels(List<String> more) {
    List<String> all = new ArrayList<>(BASE);
    all.addAll(more);
    return all.toArray(String[]::new);
  }

  private static Metric rankGauge(String name, String help) {
    return gauge(name, help, rankLabels());
  }

  private static Metric rankCounter(String name, String help) {
    return counter(name, help, rankLabels());
  }
}
