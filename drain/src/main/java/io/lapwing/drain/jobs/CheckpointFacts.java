package io.lapwing.drain.jobs;

import io.lapwing.drain.cluster.Job;

/**
 * What the agents of a job's nodes know of its checkpoints. Answers within moments, from what was
 * read.
 */
public interface CheckpointFacts {

  /** {@link JobProgress#UNKNOWN} if the job reports nothing. */
  JobProgress of(Job job);
}
