package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlGpu.Clock;

/**
 * How fast the GPU runs.
 *
 * <pre>
 * DCGM_FI_DEV_SM_CLOCK 1980      nvmlDeviceGetClockInfo, MHz
 * DCGM_FI_DEV_MEM_CLOCK 2619
 * DCGM_FI_DEV_VIDEO_CLOCK 1545
 * DCGM_FI_DEV_PSTATE 0           nvmlDeviceGetPerformanceState
 * </pre>
 */
final class GpuClocks extends GpuSubject {

  GpuClocks() {
    super("gpu_clocks", "clocks and performance state", Cadence.FAST);
  }

  @Override
  void collect(GpuRound round) {
    round.put(DcgmMetrics.SM_CLOCK, round.gpu().clock(Clock.SM));
    round.put(DcgmMetrics.MEM_CLOCK, round.gpu().clock(Clock.MEMORY));
    round.put(DcgmMetrics.VIDEO_CLOCK, round.gpu().clock(Clock.VIDEO));
    round.put(DcgmMetrics.PSTATE, round.gpu().performanceState());
  }
}
