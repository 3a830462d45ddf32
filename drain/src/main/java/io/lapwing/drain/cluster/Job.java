package io.lapwing.drain.cluster;

import java.util.HashSet;
import java.util.Set;

/**
 * A running job.
 *
 * @param id as the scheduler prints it
 * @param user its owner; empty if unknown
 * @param nodes all nodes of the job, also those that are not ours
 * @param gpus number on all nodes; 0 if unknown
 * @param processIds the ids that its processes have: of a task of an array only the id of the task,
 *     of a heterogeneous job those of its components; empty for a job of pods, whose processes may
 *     use any name
 * @param pods the uids of its pods; empty if it has none
 */
public record Job(
    String id,
    String user,
    Set<NodeName> nodes,
    int gpus,
    Set<String> processIds,
    Set<String> pods) {

  public Job {
    nodes = Set.copyOf(nodes);
    processIds = Set.copyOf(processIds);
    pods = Set.copyOf(pods);
  }

  /** A job whose processes have its id. */
  public Job(String id, String user, Set<NodeName> nodes, int gpus) {
    this(id, user, nodes, gpus, Set.of(id));
  }

  /** A job without pods. */
  public Job(String id, String user, Set<NodeName> nodes, int gpus, Set<String> processIds) {
    this(id, user, nodes, gpus, processIds, Set.of());
  }

  /** A job of pods, whose user is not known. */
  public static Job ofPods(String id, Set<NodeName> nodes, int gpus, Set<String> pods) {
    return new Job(id, "", nodes, gpus, Set.of(), pods);
  }

  /** A job of which this is one part and {@code other} another one. */
  public Job with(Job other) {
    return new Job(
        id,
        user,
        union(nodes, other.nodes),
        gpus + other.gpus,
        union(processIds, other.processIds),
        union(pods, other.pods));
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    Set<T> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }
}
