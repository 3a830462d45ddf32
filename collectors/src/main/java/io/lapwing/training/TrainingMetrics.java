package io.lapwing.training;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;

/**
 * The families of training loops. What a loop says of a step stands in the record of the step in
 * its step file; totals are those of the writer, so they are exact even where records were missed.
 */
public final class TrainingMetrics {

  /** What every series of a rank carries first. */
  static final List<String> BASE = List.of("job_id", "run", "rank", "local_rank", "gpu");

  /** The kinds of parallelism, in the order of the file. */
  static final List<String> PARALLEL = List.of("dp", "tp", "pp", "cp", "ep");

  /** What the info series carries behind those. */
  static final List<String> INFO_LABELS = infoLabels();

  public static final Metric RANKS =
      gauge("lapwing_training_ranks", "Ranks of training jobs that are read here (step files).");
  public static final Metric FILES_REJECTED =
      counter(
          "lapwing_training_files_rejected_total",
          "Files in the steps folder that are not read, or not any more, by reason; each once for as long as its reason stays (step files).",
          "reason");
  public static final Metric RECORDS_REJECTED =
      counter(
          "lapwing_training_records_rejected_total",
          "Records of steps that were not counted since something in them cannot be, by reason (step files).",
          "reason");
  public static final Metric INFO =
      gauge(
          "lapwing_training_info",
          "1, with the GPU of the rank, its place in the parallel layout, the precision of its numbers, its framework and its process (header of the step file).",
          labels(INFO_LABELS));
  public static final Metric STEP_DURATION =
      Metric.histogram(
          "lapwing_training_step_duration_seconds",
          "How long the steps took that were seen one by one, since the agent sees the rank (duration of the records).",
          rankLabels());
  static final Metric STEP_DURATION_COUNT = STEP_DURATION.count();
  static final Metric STEP_DURATION_SUM = STEP_DURATION.sum();
  public static final Metric STEPS =
      counter(
          "lapwing_training_steps_total",
          "Steps that were finished (total of the records).",
          rankLabels());
  public static final Metric TOKENS =
      counter(
          "lapwing_training_tokens_total",
          "Tokens that this rank's GPU had as its share of the steps (total of the records).",
          rankLabels());
  public static final Metric SAMPLES =
      counter(
          "lapwing_training_samples_total",
          "Samples that this rank's GPU had as its share of the steps (total of the records).",
          rankLabels());
  public static final Metric STEP_SECONDS =
      counter(
          "lapwing_training_step_seconds_total",
          "Time that all steps took (total of the records).",
          rankLabels());
  public static final Metric DATA_WAIT_SECONDS =
      counter(
          "lapwing_training_data_wait_seconds_total",
          "Time of the steps that the loop waited for its input (total of the records).",
          rankLabels());
  public static final Metric COMPUTE_SECONDS =
      counter(
          "lapwing_training_compute_seconds_total",
          "Time of the steps that the GPU computed (total of the records).",
          rankLabels());
  public static final Metric COMMUNICATION_WAIT_SECONDS =
      counter(
          "lapwing_training_communication_wait_seconds_total",
          "Time of the steps that the rank waited for others (total of the records).",
          rankLabels());
  public static final Metric CHECKPOINT_SECONDS =
      counter(
          "lapwing_training_checkpoint_seconds_total",
          "Time that the loop stood still for saving, in steps or since the step before (total of the records).",
          rankLabels());
  public static final Metric LAST_STEP =
      gauge(
          "lapwing_training_last_step",
          "The last finished step as the loop counts (step of the last record).",
          rankLabels());
  public static final Metric LAST_STEP_TIME =
      gauge(
          "lapwing_training_last_step_timestamp_seconds",
          "When the last finished step ended (start and duration of the last record).",
          rankLabels());
  public static final Metric USUAL_STEP =
      gauge(
          "lapwing_training_usual_step_seconds",
          "How long a step usually takes: the median of the last 128, from 8 on (duration of the records).",
          rankLabels());
  public static final Metric LOSS =
      gauge(
          "lapwing_training_loss",
          "Loss as the loop told it last, within the last 256 steps (loss of the records).",
          rankLabels());
  public static final Metric GRADIENT_NORM =
      gauge(
          "lapwing_training_gradient_norm",
          "Norm of the gradients as the loop told it last, within the last 256 steps (gradient norm of the records).",
          rankLabels());
  public static final Metric LEARNING_RATE =
      gauge(
          "lapwing_training_learning_rate",
          "Learning rate as the loop told it last, within the last 256 steps (learning rate of the records).",
          rankLabels());
  public static final Metric TOKENS_PER_SECOND =
      gauge(
          "lapwing_training_tokens_per_second",
          "Tokens a second of this rank's GPU over the steps that ended in the minute before the last end, at least two: their tokens by the time from the end of the step before them to the last end (records).",
          rankLabels());
  public static final Metric FLOPS_PER_TOKEN =
      gauge(
          "lapwing_training_model_flops_per_token",
          "Floating-point operations of the model for one token, forward and backward, as the loop says (header of the step file).",
          rankLabels());
  public static final Metric MFU =
      gauge(
          "lapwing_training_mfu_ratio",
          "Model FLOPs utilisation: FLOPs per token times tokens per second by the dense peak of the GPU for the precision of the info series; fp16 and a precision that is not told have the peak of bf16, tf32 and fp4 none (records, instances.csv).",
          rankLabels());
  public static final Metric PHASE =
      gauge(
          "lapwing_training_phase",
          "1 for what the loop says it is doing, 0 for all else (phase in the header of the step file).",
          labels(List.of("phase")));
  public static final Metric PHASE_TIME =
      gauge(
          "lapwing_training_phase_start_timestamp_seconds",
          "Since when the loop does that (phase in the header of the step file).",
          rankLabels());
  public static final Metric MISSED =
      counter(
          "lapwing_training_missed_records_total",
          "Records that were overwritten before they were read; no total misses them (sequence of the records).",
          rankLabels());

  private TrainingMetrics() {}

  private static List<String> infoLabels() {
    List<String> all = new ArrayList<>(List.of("UUID", "world_size"));
    PARALLEL.forEach(kind -> all.add(kind + "_rank"));
    PARALLEL.forEach(kind -> all.add(kind + "_size"));
    all.addAll(List.of("precision", "framework", "pid"));
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
}
