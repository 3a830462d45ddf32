package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Time during which the clocks were limited.
 *
 * <pre>
 * DCGM_FI_DEV_POWER_VIOLATION 1.2e+09                       field 74 and following, ns
 * DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS 0    field 270 and others, ns
 * </pre>
 */
final class GpuViolations extends GpuSubject {

  private static final FieldSamples VIOLATIONS =
      new FieldSamples(
          Map.of(
              NvmlField.VIOLATION_POWER, DcgmMetrics.POWER_VIOLATION,
              NvmlField.VIOLATION_THERMAL, DcgmMetrics.THERMAL_VIOLATION,
              NvmlField.VIOLATION_SYNC_BOOST, DcgmMetrics.SYNC_BOOST_VIOLATION,
              NvmlField.VIOLATION_BOARD_LIMIT, DcgmMetrics.BOARD_LIMIT_VIOLATION,
              NvmlField.VIOLATION_LOW_UTILIZATION, DcgmMetrics.LOW_UTIL_VIOLATION,
              NvmlField.VIOLATION_RELIABILITY, DcgmMetrics.RELIABILITY_VIOLATION,
              NvmlField.VIOLATION_APP_CLOCKS, DcgmMetrics.TOTAL_APP_CLOCKS_VIOLATION,
              NvmlField.VIOLATION_BASE_CLOCKS, DcgmMetrics.TOTAL_BASE_CLOCKS_VIOLATION));

  private static final FieldSamples SLOWDOWNS =
      new FieldSamples(
          Map.of(
              NvmlField.VIOLATION_POWER, DcgmMetrics.CLOCKS_EVENT_REASON_SW_POWER_CAP_NS,
              NvmlField.VIOLATION_SYNC_BOOST, DcgmMetrics.CLOCKS_EVENT_REASON_SYNC_BOOST_NS,
              NvmlField.SW_THERMAL_SLOWDOWN, DcgmMetrics.CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS,
              NvmlField.HW_THERMAL_SLOWDOWN, DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS,
              NvmlField.HW_POWER_BRAKE_SLOWDOWN,
                  DcgmMetrics.CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS));

  private static final List<FieldKey> KEYS =
      Stream.concat(VIOLATIONS.keys().stream(), SLOWDOWNS.keys().stream()).distinct().toList();

  GpuViolations() {
    super("gpu_violations", "for how long the clocks have been held down", Cadence.MEDIUM, KEYS);
  }

  @Override
  void collect(GpuRound round) {
    VIOLATIONS.put(round);
    SLOWDOWNS.put(round);
  }
}
