package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.List;

/**
 * How warm the GPU is.
 *
 * <pre>
 * DCGM_FI_DEV_GPU_TEMP 41         nvmlDeviceGetTemperatureV, C
 * DCGM_FI_DEV_MEMORY_TEMP 47      field 82, C
 * DCGM_FI_DEV_GPU_TEMP_LIMIT 46   nvmlDeviceGetMarginTemperature, C left until slowdown
 * </pre>
 */
public final class GpuTemperature implements GpuSubject {

  @Override
  public String name() {
    return "gpu_temperature";
  }

  @Override
  public String about() {
    return "temperatures";
  }

  @Override
  public Cadence cadence() {
    return Cadence.MEDIUM;
  }

  @Override
  public List<FieldKey> fields() {
    return List.of(NvmlField.MEMORY_TEMPERATURE.whole());
  }

  @Override
  public void collect(GpuRound round) {
    round.put(DcgmMetrics.GPU_TEMP, round.gpu().temperature());
    round.put(DcgmMetrics.MEMORY_TEMP, NvmlField.MEMORY_TEMPERATURE);
    round.put(DcgmMetrics.GPU_TEMP_LIMIT, round.gpu().marginTemperature());
  }
}
