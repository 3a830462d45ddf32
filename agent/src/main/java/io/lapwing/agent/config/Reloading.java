package io.lapwing.agent.config;

import java.util.Set;

/**
 * Which options a running agent takes up anew. The others are what its files, its ports, its native
 * library or the identity of its series stand on, and wait for a restart.
 */
final class Reloading {

  private static final Set<Option<?>> AT_ONCE =
      Set.of(
          Options.MAX_REQUESTS,
          Options.GPU_FIELDS,
          Options.HEALTH_PROFILE,
          Options.HEALTH_POLICY,
          Options.HEALTH_EXPECTED_GPUS,
          Options.HEALTH_EXPECTED_EFA_DEVICES,
          Options.LUSTRE_TARGETS,
          Options.STEPS_DIR,
          Options.JOB_MAPPING_DIR,
          Options.POD_RESOURCES,
          Options.KUBELET_CHECKPOINT,
          Options.HPC_JOB_LABEL,
          Options.INFERENCE_SCRAPE,
          Options.NCCL_RAS,
          Options.NCCL_INSPECTOR_DIR,
          Options.FAST,
          Options.MEDIUM,
          Options.SLOW,
          Options.DEADLINE,
          Options.DISABLE_DEFAULTS,
          Options.LOG_LEVEL,
          Options.LOG_FORMAT);

  private Reloading() {}

  /** Whether SIGHUP is enough. */
  static boolean reloads(Option<?> option) {
    return option.isCollector() || AT_ONCE.contains(option);
  }
}
