package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A node, as {@code scontrol show node} prints it.
 *
 * @param reason why it is out of service; empty if there is none
 * @param reasonBy the account that wrote it; empty if unknown
 * @param bySlurm whether that account is the one as which slurmctld runs
 * @param comment of the site; may carry our stamp before it
 * @param instanceId of the cloud; empty if Slurm does not know it (before 23.11 it never does)
 * @param gpus 0 if unknown
 * @param busy whether a job holds some of it, or is leaving it
 * @param features those that it has, and those that it would have after a reboot
 * @param instanceType of the cloud; empty if Slurm does not know it (before 23.11 it never does)
 */
record SlurmNode(
    NodeName name,
    SlurmState state,
    String reason,
    String reasonBy,
    boolean bySlurm,
    String comment,
    Set<String> partitions,
    Optional<Instant> booted,
    String instanceId,
    int gpus,
    boolean busy,
    Set<String> features,
    String instanceType) {

  SlurmNode {
    partitions = Set.copyOf(partitions);
    features = Set.copyOf(features);
  }

  /** With a reason of slurmctld. */
  SlurmNode writtenBySlurm() {
    return new SlurmNode(
        name,
        state,
        reason,
        reasonBy,
        true,
        comment,
        partitions,
        booted,
        instanceId,
        gpus,
        busy,
        features,
        instanceType);
  }

  /** Powered down, and free: of the cloud it does not exist at present. */
  boolean absent() {
    return state.is("POWERED_DOWN") && reason.isEmpty();
  }

  /**
   * Its machine was terminated; one outside of the cloud is only off, and is the same one later.
   */
  boolean gone() {
    return state.is("POWERED_DOWN") && state.is("CLOUD");
  }
}
