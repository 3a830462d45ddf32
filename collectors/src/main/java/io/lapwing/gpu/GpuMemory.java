package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.Bar1;
import io.lapwing.nvml.NvmlGpu.Memory;

/**
 * Device memory.
 *
 * <pre>
 * DCGM_FI_DEV_FB_TOTAL 81559           nvmlDeviceGetMemoryInfo_v2, MiB
 * DCGM_FI_DEV_FB_FREE 12000
 * DCGM_FI_DEV_FB_USED 68985
 * DCGM_FI_DEV_FB_RESERVED 574          version 2 of the call only
 * DCGM_FI_DEV_FB_USED_PERCENT 0.85     0 to 1
 * DCGM_FI_DEV_BAR1_TOTAL 131072        nvmlDeviceGetBAR1MemoryInfo, MiB
 * DCGM_FI_DEV_BAR1_USED 12
 * </pre>
 */
final class GpuMemory extends GpuSubject {

  GpuMemory() {
    super("gpu_memory", "device memory", Cadence.MEDIUM);
  }

  @Override
  void collect(GpuRound round) {
    Reading<Memory> memory = round.gpu().memory();
    round.note(memory);
    memory.toOptional().ifPresent(bytes -> put(round, bytes));
    Reading<Bar1> bar1 = round.gpu().bar1();
    round.put(DcgmMetrics.BAR1_TOTAL, bar1.map(bytes -> Units.bytesToMebibytes(bytes.total())));
    bar1.toOptional()
        .ifPresent(bytes -> round.put(DcgmMetrics.BAR1_USED, Units.bytesToMebibytes(bytes.used())));
  }

  private static void put(GpuRound round, Memory bytes) {
    round.put(DcgmMetrics.FB_TOTAL, Units.bytesToMebibytes(bytes.total()));
    round.put(DcgmMetrics.FB_FREE, Units.bytesToMebibytes(bytes.free()));
    round.put(DcgmMetrics.FB_USED, Units.bytesToMebibytes(bytes.used()));
    bytes
        .reserved()
        .ifPresent(
            reserved -> round.put(DcgmMetrics.FB_RESERVED, Units.bytesToMebibytes(reserved)));
    long usable = bytes.total() - bytes.reserved().orElse(0);
    if (usable > 0) {
      round.put(DcgmMetrics.FB_USED_PERCENT, (double) bytes.used() / usable);
    }
  }
}
