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
public final class GpuClocks implements GpuSubject {

  @Override
  public String name() {
    return "gpu_clocks";
  }

  @Override
  public String about() {
    return "clocks and performance state";
  }

  @Override
  public Cadence cadence() {
    return Cadence.FAST;
  }

  @Override
  public void collect(GpuRound round) {
    round.put(DcgmMetrics.SM_CLOCK, round.gpu().clock(Clock.SM));
    round.put(DcgmMetrics.MEM_CLOCK, round.gpu().clock(Clock.MEMORY));
    round.put(DcgmMetrics.VIDEO_CLOCK, round.gpu().clock(Clock.VIDEO));
    round.put(DcgmMetrics.PSTATE, round.gpu().performanceState());
  }
}
