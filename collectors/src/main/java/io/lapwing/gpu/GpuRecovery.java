package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlField;

/**
 * The recovery action that the driver reports.
 *
 * <pre>
 * DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION 0     field 230; 0 is none
 * </pre>
 */
final class GpuRecovery extends GpuSubject {

  GpuRecovery() {
    super("gpu_recovery", "what the driver asks for", Cadence.MEDIUM, NvmlField.RECOVERY_ACTION);
  }

  @Override
  void collect(GpuRound round) {
    round.put(DcgmMetrics.GET_GPU_RECOVERY_ACTION, NvmlField.RECOVERY_ACTION);
  }
}
