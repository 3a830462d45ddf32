package io.lapwing.drain.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How far a job has come. A checkpoint counts when it is durable: a restart would find it whole.
 * Everything is empty while it is unknown.
 *
 * @param unsaved since when its work is in no durable checkpoint
 * @param durable when the last checkpoint became durable
 * @param interval between its checkpoints: the median of the last ones
 * @param write how long it writes a checkpoint
 * @param lastStep when its last step ended; empty also while no step is due, as in an evaluation
 * @param stepTime its usual duration
 * @param slowdown duration of the steps of late, over the mean of the run; 2 is half as fast
 */
public record JobProgress(
    Optional<Instant> unsaved,
    Optional<Instant> durable,
    Optional<Duration> interval,
    Optional<Duration> write,
    Optional<Instant> lastStep,
    Optional<Duration> stepTime,
    OptionalDouble slowdown) {

  public static final JobProgress UNKNOWN =
      new JobProgress(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalDouble.empty());
}
