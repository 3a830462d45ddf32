package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A job that waits, or those tasks of an array that do.
 *
 * @param id as Slurm prints it: {@code 4711}, {@code 4711_[3-9]}, {@code 4711+1}; of Kubernetes
 *     {@code namespace/name}
 * @param user its owner; empty if unknown
 * @param partitions or node groups; it would run in any of them
 * @param account of Slurm, queue of Kueue, or namespace; empty without one
 * @param qos empty without one
 * @param reason the scheduler's word, such as {@code Resources}; a text may follow. Empty before
 *     the scheduler evaluated it
 * @param eligible when it may start; empty if that is unknown, of a dependency for example
 * @param nodes each task requests; the minimum of a range; 0 if unknown
 * @param gpus each task requests on all nodes; 0 if none, or unknown
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
