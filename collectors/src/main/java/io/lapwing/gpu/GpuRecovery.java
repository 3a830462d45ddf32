package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.List;

/**
 * What the driver itself asks for.
 *
 * <pre>
 * DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION 0     field 230; 0 is none
 * </pre>
 */
public final class GpuRecovery implements GpuSubject {

  @Override
  public String name() {
    return "gpu_recovery";
  }

  @Override
  public String about() {
    return "what the driver asks for";
  }

  @Override
  public Cadence cadence() {
    return Cadence.MEDIUM;
  }

  @Override
  public List<FieldKey> fields() {
    return List.of(NvmlField.RECOVERY_ACTION.whole());
  }

  @Override
  public void collect(GpuRound round) {
    round.put(DcgmMetrics.GET_GPU_RECOVERY_ACTION, NvmlField.RECOVERY_ACTION);
  }
}
