package io.lapwing.drain.cluster;

import java.util.Set;

/**
 * A running job.
 *
 * @param id as the scheduler prints it
 * @param user its owner; empty if unknown
 * @param nodes all nodes of the job, also those that are not ours
 * @param gpus number on all nodes; 0 if unknown
 */
public record Job(String id, String user, Set<NodeName> nodes, int gpus) {

  public Job {
    nodes = Set.copyOf(nodes);
  }
}
