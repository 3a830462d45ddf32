package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A job that waits, or those tasks of an array that do.
 *
 * @param id as Slurm prints it: {@code 4711}, {@code 4711_[3-9]}, {@code 4711+1}
 * @param user its owner; empty if unknown
 * @param partitions it would run in any of them
 * @param account empty without one
 * @param qos empty without one
 * @param reason Slurm's word: {@code Resources}, {@code Priority}; empty before Slurm looked at it
 * @param eligible when it may start; empty if that is unknown, of a dependency for example
 * @param nodes each task wants; the least, of a range
 * @param gpus each task wants on all nodes; 0 if none, or unknown
 * @param tasks of the array that wait; 1 if it is none
 */
public record QueuedJob(
    String id,
    String user,
    Set<String> partitions,
    String account,
    String qos,
    String reason,
    Optional<Instant> submitted,
    Optional<Instant> eligible,
    int nodes,
    int gpus,
    long tasks) {

  public QueuedJob {
    partitions = Set.copyOf(partitions);
  }
}
