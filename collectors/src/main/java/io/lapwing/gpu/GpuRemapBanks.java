package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.RowRemapHistogram;

/**
 * Spare rows left in the memory banks.
 *
 * <pre>
 * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_MAX 2560     nvmlDeviceGetRowRemapperHistogram
 * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_HIGH 0
 * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_PARTIAL 0
 * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_LOW 0
 * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_NONE 0
 * </pre>
 */
final class GpuRemapBanks extends GpuSubject {

  GpuRemapBanks() {
    super("gpu_remap_banks", "spare rows of the memory banks", Cadence.SLOW);
  }

  @Override
  void collect(GpuRound round) {
    Reading<RowRemapHistogram> histogram = round.gpu().rowRemapHistogram();
    round.note(histogram);
    histogram.toOptional().ifPresent(banks -> put(round, banks));
  }

  private static void put(GpuRound round, RowRemapHistogram banks) {
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_MAX, banks.max());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_HIGH, banks.high());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_PARTIAL, banks.partial());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW, banks.low());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE, banks.none());
  }
}
