package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.Utilization;

/**
 * Utilisation as shown by {@code nvidia-smi}: the share of time with any work, not the share of the
 * GPU in use.
 *
 * <pre>
 * DCGM_FI_DEV_GPU_UTIL 100        nvmlDeviceGetUtilizationRates, %
 * DCGM_FI_DEV_MEM_COPY_UTIL 37
 * DCGM_FI_DEV_ENC_UTIL 0          nvmlDeviceGetEncoderUtilization, %
 * DCGM_FI_DEV_DEC_UTIL 0          nvmlDeviceGetDecoderUtilization, %
 * </pre>
 */
final class GpuUtilization extends GpuSubject {

  GpuUtilization() {
    super("gpu_utilization", "utilisation as nvidia-smi shows it", Cadence.FAST);
  }

  @Override
  void collect(GpuRound round) {
    Reading<Utilization> rates = round.gpu().utilization();
    round.note(rates);
    rates
        .toOptional()
        .ifPresent(
            percent -> {
              round.put(DcgmMetrics.GPU_UTIL, percent.gpu());
              round.put(DcgmMetrics.MEM_COPY_UTIL, percent.memory());
            });
    round.put(DcgmMetrics.ENC_UTIL, round.gpu().encoderUtilization());
    round.put(DcgmMetrics.DEC_UTIL, round.gpu().decoderUtilization());
  }
}
