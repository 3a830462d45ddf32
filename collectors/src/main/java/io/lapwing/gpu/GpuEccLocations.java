package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.NvmlGpu.EccCounter;
import io.lapwing.nvml.NvmlGpu.EccError;
import io.lapwing.nvml.NvmlGpu.MemoryLocation;
import io.lapwing.nvml.NvmlGpu.SramEccStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * ECC errors by location.
 *
 * <pre>
 * DCGM_FI_DEV_ECC_SBE_VOL_DEV 0          nvmlDeviceGetMemoryErrorCounter, and so on for DEV (DRAM) and SRM (SRAM)
 * lapwing_gpu_ecc_errors_total{error="corrected",counter="volatile",location="dram"} 0
 * DCGM_FI_DEV_THRESHOLD_SRM 0            nvmlDeviceGetSramEccErrorStatus
 * lapwing_gpu_sram_ecc_errors_total{error="uncorrected_parity",counter="volatile"} 0
 * </pre>
 */
final class GpuEccLocations extends GpuSubject {

  private static final Map<List<Object>, Metric> DCGM_NAMES =
      Map.of(
          List.of(EccError.CORRECTED, EccCounter.VOLATILE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_SBE_VOL_DEV,
          List.of(EccError.UNCORRECTED, EccCounter.VOLATILE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_DBE_VOL_DEV,
          List.of(EccError.CORRECTED, EccCounter.AGGREGATE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_SBE_AGG_DEV,
          List.of(EccError.UNCORRECTED, EccCounter.AGGREGATE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_DBE_AGG_DEV,
          List.of(EccError.CORRECTED, EccCounter.VOLATILE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_SBE_VOL_SRM,
          List.of(EccError.UNCORRECTED, EccCounter.VOLATILE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_DBE_VOL_SRM,
          List.of(EccError.CORRECTED, EccCounter.AGGREGATE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_SBE_AGG_SRM,
          List.of(EccError.UNCORRECTED, EccCounter.AGGREGATE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_DBE_AGG_SRM);

  GpuEccLocations() {
    super("gpu_ecc_locations", "ECC errors by location", Cadence.SLOW);
  }

  @Override
  void collect(GpuRound round) {
    for (EccError error : EccError.values()) {
      for (EccCounter counter : EccCounter.values()) {
        for (MemoryLocation location : MemoryLocation.values()) {
          count(round, error, counter, location);
        }
      }
    }
    Reading<SramEccStatus> sram = round.gpu().sramEccStatus();
    round.put(DcgmMetrics.THRESHOLD_SRM, sram.map(status -> status.thresholdExceeded() ? 1 : 0));
    sram.toOptional().ifPresent(status -> sram(round, status));
  }

  private static void count(
      GpuRound round, EccError error, EccCounter counter, MemoryLocation location) {
    Reading<Long> count = round.gpu().memoryErrors(error, counter, location);
    round.put(GpuMetrics.ECC_ERRORS, List.of(word(error), word(counter), word(location)), count);
    Metric dcgm = DCGM_NAMES.get(List.of(error, counter, location));
    if (dcgm != null) {
      count.toOptional().ifPresent(errors -> round.put(dcgm, errors));
    }
  }

  private static void sram(GpuRound round, SramEccStatus status) {
    sram(round, "corrected", EccCounter.VOLATILE, status.volatileCorrected());
    sram(round, "uncorrected_parity", EccCounter.VOLATILE, status.volatileUncorrectedParity());
    sram(round, "uncorrected_secded", EccCounter.VOLATILE, status.volatileUncorrectedSecDed());
    sram(round, "corrected", EccCounter.AGGREGATE, status.aggregateCorrected());
    sram(round, "uncorrected_parity", EccCounter.AGGREGATE, status.aggregateUncorrectedParity());
    sram(round, "uncorrected_secded", EccCounter.AGGREGATE, status.aggregateUncorrectedSecDed());
  }

  private static void sram(GpuRound round, String error, EccCounter counter, long count) {
    round.put(GpuMetrics.SRAM_ECC_ERRORS, List.of(error, word(counter)), (double) count);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
