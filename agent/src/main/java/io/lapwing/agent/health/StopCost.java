package io.lapwing.agent.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The work that a training job would lose if it was stopped now, for example by draining the node.
 *
 * @param job its id or name; empty if it has none
 * @param run empty if it has none
 * @param step the last one in a checkpoint that is durable for all ranks here; empty if unknown
 * @param durable since when that checkpoint is durable; empty if none is
 * @param unsaved since when work is in no durable checkpoint
 * @param lost from {@code unsaved} to the evaluation
 * @param gpus of the whole job, on all nodes, as far as its ranks say; otherwise of its ranks here
 */
public record StopCost(
    String job,
    String run,
    OptionalLong step,
    Optional<Instant> durable,
    Instant unsaved,
    Duration lost,
    int gpus) {

  private static final double SECONDS_PER_HOUR = 3600;

  /** GPU time in seconds. */
  public double gpuSeconds() {
    return (double) lost.toSeconds() * gpus;
  }

  /**
   * {@code stopping job 4711 now loses 12 min of 512 GPUs (102.4 GPU hours): its last durable
   * checkpoint is of step 1000}.
   */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "stopping %s%s now loses %s of %d %s (%.1f GPU hours): %s",
        job.isEmpty() ? "a job without a name" : "job " + job,
        run.isEmpty() ? "" : ", run " + run + ",",
        text(lost),
        gpus,
        gpus == 1 ? "GPU" : "GPUs",
        gpuSeconds() / SECONDS_PER_HOUR,
        why());
  }

  private String why() {
    if (durable.isEmpty()) {
      return "it has no durable checkpoint yet";
    }
    return step.isPresent()
        ? "its last durable checkpoint is of step " + step.getAsLong()
        : "its last durable checkpoint is of an unknown step";
  }

  private static String text(Duration lost) {
    if (lost.toHours() > 0) {
      return lost.toHours() + " h " + lost.toMinutesPart() + " min";
    }
    return lost.toMinutes() > 0 ? lost.toMinutes() + " min" : lost.toSeconds() + " s";
  }
}
