package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlField;
import java.util.Map;

/**
 * Remapped rows and, before Ampere, retired pages.
 *
 * <pre>
 * DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS 0       field 142
 * DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS 1     field 143
 * DCGM_FI_DEV_ROW_REMAP_PENDING 0               field 144
 * DCGM_FI_DEV_ROW_REMAP_FAILURE 0               field 145
 * DCGM_FI_DEV_RETIRED_SBE, _DBE, _PENDING       fields 29 to 31, before Ampere only
 * </pre>
 */
final class GpuRemap extends GpuSubject {

  private static final FieldSamples FIELDS =
      new FieldSamples(
          Map.of(
              NvmlField.RETIRED_SBE, DcgmMetrics.RETIRED_SBE,
              NvmlField.RETIRED_DBE, DcgmMetrics.RETIRED_DBE,
              NvmlField.RETIRED_PENDING, DcgmMetrics.RETIRED_PENDING,
              NvmlField.REMAPPED_CORRECTABLE, DcgmMetrics.CORRECTABLE_REMAPPED_ROWS,
              NvmlField.REMAPPED_UNCORRECTABLE, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS,
              NvmlField.REMAPPED_PENDING, DcgmMetrics.ROW_REMAP_PENDING,
              NvmlField.REMAPPED_FAILURE, DcgmMetrics.ROW_REMAP_FAILURE));

  GpuRemap() {
    super("gpu_remap", "remapped rows and retired pages", Cadence.MEDIUM, FIELDS.keys());
  }

  @Override
  void collect(GpuRound round) {
    FIELDS.put(round);
  }
}
