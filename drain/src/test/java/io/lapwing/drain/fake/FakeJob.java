package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.jobs.JobProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** A job of {@link FakeCluster} that has a checkpoint each twenty minutes, or reports nothing. */
record FakeJob(Job job, Instant start, Instant end, boolean reports, boolean ended) {

  private static final Duration INTERVAL = Duration.ofMinutes(20);

  /** It was ended, and leaves at that time. */
  FakeJob leaves(Instant time) {
    return new FakeJob(job, start, time, reports, true);
  }

  JobProgress progress(Instant now) {
    if (!reports) {
      return JobProgress.UNKNOWN;
    }
    long past = Duration.between(start, now).dividedBy(INTERVAL);
    Instant last = start.plus(INTERVAL.multipliedBy(past));
    return new JobProgress(
        Optional.of(last),
        past == 0 ? Optional.empty() : Optional.of(last),
        Optional.of(INTERVAL),
        Optional.empty(),
        Optional.of(now),
        Optional.of(Duration.ofSeconds(5)),
        OptionalDouble.empty());
  }
}
