package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.jobs.JobProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job, as recorded.
 *
 * @param end empty if it ran at the end of the record
 * @param interval between its durable checkpoints; empty if unknown
 */
record RecordedJob(Job job, Instant start, Optional<Instant> end, Optional<Duration> interval) {

  boolean runsAt(Instant now) {
    return !now.isBefore(start) && end.map(now::isBefore).orElse(true);
  }

  /** The checkpoints are as far apart as the job's owner says, from its start on. */
  JobProgress progress(Instant now) {
    if (interval.isEmpty() || now.isBefore(start)) {
      return JobProgress.UNKNOWN;
    }
    long done = Duration.between(start, now).dividedBy(interval.get());
    Instant durable = start.plus(interval.get().multipliedBy(done));
    return new JobProgress(
        Optional.of(durable),
        done == 0 ? Optional.empty() : Optional.of(durable),
        interval,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalDouble.empty());
  }
}
