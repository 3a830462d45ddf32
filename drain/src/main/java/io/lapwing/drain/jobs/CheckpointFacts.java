package io.lapwing.drain.jobs;

import io.lapwing.drain.cluster.Job;

/** The checkpoints of a job, by the agents of its nodes. Answers at once, from the last read. */
public interface CheckpointFacts {

  /** {@link JobProgress#UNKNOWN} if the job reports nothing. */
  JobProgress of(Job job);
}
