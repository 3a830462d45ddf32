package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlField;

/**
 * Temperatures.
 *
 * <pre>
 * DCGM_FI_DEV_GPU_TEMP 41         nvmlDeviceGetTemperatureV, C
 * DCGM_FI_DEV_MEMORY_TEMP 47      field 82, C
 * DCGM_FI_DEV_GPU_TEMP_LIMIT 46   nvmlDeviceGetMarginTemperature, C left until slowdown
 * </pre>
 */
final class GpuTemperature extends GpuSubject {

  GpuTemperature() {
    super("gpu_temperature", "temperatures", Cadence.MEDIUM, NvmlField.MEMORY_TEMPERATURE);
  }

  @Override
  void collect(GpuRound round) {
    round.put(DcgmMetrics.GPU_TEMP, round.gpu().temperature());
    round.put(DcgmMetrics.MEMORY_TEMP, NvmlField.MEMORY_TEMPERATURE);
    round.put(DcgmMetrics.GPU_TEMP_LIMIT, round.gpu().marginTemperature());
  }
}
