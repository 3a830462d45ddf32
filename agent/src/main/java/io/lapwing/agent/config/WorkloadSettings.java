package io.lapwing.agent.config;

import io.lapwing.nccl.RasEndpoint;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where what runs on the node is read.
 *
 * @param steps where training loops leave their records
 * @param jobs whose the GPUs are
 * @param inference which engines are read
 * @param ras NCCL's RAS service; empty where it is not asked
 * @param inspector where NCCL Inspector writes; empty where it is not read
 */
public record WorkloadSettings(
    Path steps,
    JobSettings jobs,
    InferenceTargets inference,
    Optional<RasEndpoint> ras,
    Optional<Path> inspector) {

  /**
   * Who tells whose a GPU is.
   *
   * @param mapping a directory with a file per GPU that holds the ids of its jobs
   * @param podResources the kubelet's socket
   * @param checkpoint the kubelet's own note
   * @param hpcJobLabel whether GPU series carry {@code hpc_job}
   */
  public record JobSettings(
      Path mapping, Path podResources, Path checkpoint, boolean hpcJobLabel) {}
}
