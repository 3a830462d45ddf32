package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlField;

/**
 * Power and energy.
 *
 * <pre>
 * DCGM_FI_DEV_POWER_USAGE 627.4                     field 185, or nvmlDeviceGetPowerUsage, W
 * DCGM_FI_DEV_POWER_USAGE_INSTANT 626.2             field 186, W
 * DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 8.1e+10      field 83, mJ
 * </pre>
 */
final class GpuPower extends GpuSubject {

  GpuPower() {
    super(
        "gpu_power",
        "power and energy",
        Cadence.FAST,
        NvmlField.POWER_AVERAGE,
        NvmlField.POWER_INSTANT,
        NvmlField.TOTAL_ENERGY);
  }

  @Override
  void collect(GpuRound round) {
    Reading<Double> average =
        round
            .field(NvmlField.POWER_AVERAGE)
            .or(() -> round.gpu().powerUsage().map(Integer::doubleValue));
    round.put(DcgmMetrics.POWER_USAGE, average.map(Units::milliToWhole));
    round.put(
        DcgmMetrics.POWER_USAGE_INSTANT,
        round.field(NvmlField.POWER_INSTANT).map(Units::milliToWhole));
    round.put(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, NvmlField.TOTAL_ENERGY);
  }
}
