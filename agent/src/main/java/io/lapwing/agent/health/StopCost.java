package io.lapwing.agent.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
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
 * @param ranks of the whole job, on all nodes, if reported; otherwise those here
 * @param shared whether ranks here have parts of GPUs: MIG instances, or a GPU with other ranks.
 *     How many GPUs the job has is unknown then; otherwise each rank has one
 */
public record StopCost(
    String job,
    String run,
    OptionalLong step,
    Optional<Instant> durable,
    Instant unsaved,
    Duration lost,
    int ranks,
    boolean shared) {

  private static final double SECONDS_PER_HOUR = 3600;

  /** The time of all ranks in seconds, which is GPU time where each has a GPU. */
  public double rankSeconds() {
    return (double) lost.toSeconds() * ranks;
  }

  /** Of the whole job; empty if unknown. */
  public OptionalInt gpus() {
    return shared ? OptionalInt.empty() : OptionalInt.of(ranks);
  }

  /**
   * {@code stopping job 4711 now loses 12 min of 512 GPUs (102.4 GPU hours): its last durable
   * checkpoint is of step 1000}.
   */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "stopping %s%s now loses %s of %s: %s",
        job.isEmpty() ? "a job without a name" : "job " + job,
        run.isEmpty() ? "" : ", run " + run + ",",
        text(lost),
        size(),
        why());
  }

  private String size() {
    if (shared) {
      return ranks == 1 ? "1 rank, which shares a GPU" : ranks + " ranks, which share GPUs";
    }
    return String.format(
        Locale.ROOT,
        "%d %s (%.1f GPU hours)",
        ranks,
        ranks == 1 ? "GPU" : "GPUs",
        rankSeconds() / SECONDS_PER_HOUR);
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
