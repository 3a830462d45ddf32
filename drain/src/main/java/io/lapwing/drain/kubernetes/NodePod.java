package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.lapwing.drain.cluster.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod that runs on a node, and is neither the system's nor over. Only the fields that are needed:
 * a cluster has thousands, and each takes many kilobytes in the API.
 *
 * @param job {@code namespace/name} of its job: that of its gang, else its own
 * @param holdsGpus also if their number is not known
 * @param gpus whole ones; 0 if it has slices or claims, whose number is not known
 * @param isSlurm whether it is a node of a Slurm cluster: it is never evicted, Slurm drains it
 * @param ends end of its grace period; empty if it was not deleted or evicted
 * @param hasController whether anything starts it again elsewhere
 * @param created empty if unknown
 */
record NodePod(
    String namespace,
    String name,
    String uid,
    NodeName node,
    String job,
    boolean holdsGpus,
    int gpus,
    boolean isSlurm,
    Optional<Instant> ends,
    boolean hasController,
    Optional<Instant> created) {

  /** A kubelet that answers kills it at the end of its grace period. */
  private static final Duration HANGS = Duration.ofMinutes(10);

  /** A field selector. */
  static final String NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";

  /**
   * Empty unless it is on a node, and is neither the system's nor over, nor a node of Slurm that is
   * drained.
   */
  static Optional<NodePod> of(Pod pod) {
    String node = pod.getSpec().getNodeName();
    if (node == null
        || PodReading.isOver(pod)
        || PodReading.isOfSystem(pod)
        || PodReading.isDrainedSlurm(pod)) {
      return Optional.empty();
    }
    ObjectMeta meta = pod.getMetadata();
    return NodeName.parse(node)
        .map(
            name ->
                new NodePod(
                    meta.getNamespace(),
                    meta.getName(),
                    meta.getUid(),
                    name,
                    PodReading.jobOf(pod),
                    PodReading.holdsGpus(pod),
                    PodReading.gpus(pod),
                    PodReading.isSlurm(pod),
                    Optional.ofNullable(meta.getDeletionTimestamp()).map(Instant::parse),
                    PodReading.controller(pod).isPresent(),
                    Optional.ofNullable(meta.getCreationTimestamp()).map(Instant::parse)));
  }

  /** Whether it ends by itself: it blocks nothing. */
  boolean isTerminating() {
    return ends.isPresent();
  }

  /**
   * Whether it is still there long after its grace period. With a kubelet that answers, a process
   * of it hangs in the kernel, and a reboot may end it; without one, its containers go on working.
   */
  boolean hangs(Instant now) {
    return ends.filter(end -> end.plus(HANGS).isBefore(now)).isPresent();
  }

  String words() {
    return namespace + "/" + name;
  }
}
