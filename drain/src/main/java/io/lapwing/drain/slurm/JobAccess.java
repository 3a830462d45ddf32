package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.QueuedJob;
import java.util.List;

/** Reads Slurm's jobs, by its own programs or by slurmrestd. */
interface JobAccess {

  /** The components of a heterogeneous job are one job: they run and end together. */
  List<Job> running() throws UnreadableAnswer;

  /** The components of a heterogeneous job are apart: each waits in a partition of its own. */
  List<QueuedJob> queued() throws UnreadableAnswer;
}
