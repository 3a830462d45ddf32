package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlField;
import java.util.Map;

/**
 * ECC errors in total.
 *
 * <pre>
 * DCGM_FI_DEV_ECC_CURRENT 1            field 1
 * DCGM_FI_DEV_ECC_PENDING 1            field 2
 * DCGM_FI_DEV_ECC_SBE_VOL_TOTAL 0      field 3, since the driver was loaded
 * DCGM_FI_DEV_ECC_DBE_VOL_TOTAL 0      field 4
 * DCGM_FI_DEV_ECC_SBE_AGG_TOTAL 2      field 5, over the life of the board
 * DCGM_FI_DEV_ECC_DBE_AGG_TOTAL 0      field 6
 * </pre>
 */
final class GpuEcc extends GpuSubject {

  private static final FieldSamples FIELDS =
      new FieldSamples(
          Map.of(
              NvmlField.ECC_CURRENT, DcgmMetrics.ECC_CURRENT,
              NvmlField.ECC_PENDING, DcgmMetrics.ECC_PENDING,
              NvmlField.ECC_SBE_VOL_TOTAL, DcgmMetrics.ECC_SBE_VOL_TOTAL,
              NvmlField.ECC_DBE_VOL_TOTAL, DcgmMetrics.ECC_DBE_VOL_TOTAL,
              NvmlField.ECC_SBE_AGG_TOTAL, DcgmMetrics.ECC_SBE_AGG_TOTAL,
              NvmlField.ECC_DBE_AGG_TOTAL, DcgmMetrics.ECC_DBE_AGG_TOTAL));

  GpuEcc() {
    super("gpu_ecc", "ECC errors in all", Cadence.MEDIUM, FIELDS.keys());
  }

  @Override
  void collect(GpuRound round) {
    FIELDS.put(round);
  }
}
