package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.GpmMetric;
import io.lapwing.nvml.GpmValues;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Averages of the performance counters of Hopper and newer (GPM) since the previous sample.
 *
 * <pre>
 * DCGM_FI_PROF_SM_ACTIVE 0.93                          GPM metric 2
 * DCGM_FI_PROF_PIPE_TENSOR_ACTIVE 0.61                 GPM metric 5, and so on
 * DCGM_FI_PROF_PCIE_TX_BYTES 1.2e+09                   GPM metric 20, bytes/s
 * lapwing_gpu_sm_active_seconds_total 10234.5          the ratio integrated over time
 * lapwing_gpu_gpm_supported 1                          nvmlGpmQueryDeviceSupport
 * </pre>
 */
final class GpuProfiling extends GpuSubject {

  private static final Map<GpmMetric, Metric> METRICS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(GpmMetric.GRAPHICS_ACTIVE, DcgmMetrics.PROF_GR_ENGINE_ACTIVE),
              Map.entry(GpmMetric.SM_ACTIVE, DcgmMetrics.PROF_SM_ACTIVE),
              Map.entry(GpmMetric.SM_OCCUPANCY, DcgmMetrics.PROF_SM_OCCUPANCY),
              Map.entry(GpmMetric.INTEGER_ACTIVE, DcgmMetrics.PROF_PIPE_INT_ACTIVE),
              Map.entry(GpmMetric.TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_ACTIVE),
              Map.entry(GpmMetric.DFMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_DFMA_ACTIVE),
              Map.entry(GpmMetric.HMMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_HMMA_ACTIVE),
              Map.entry(GpmMetric.IMMA_TENSOR_ACTIVE, DcgmMetrics.PROF_PIPE_TENSOR_IMMA_ACTIVE),
              Map.entry(GpmMetric.DRAM_ACTIVE, DcgmMetrics.PROF_DRAM_ACTIVE),
              Map.entry(GpmMetric.FP64_ACTIVE, DcgmMetrics.PROF_PIPE_FP64_ACTIVE),
              Map.entry(GpmMetric.FP32_ACTIVE, DcgmMetrics.PROF_PIPE_FP32_ACTIVE),
              Map.entry(GpmMetric.FP16_ACTIVE, DcgmMetrics.PROF_PIPE_FP16_ACTIVE),
              Map.entry(GpmMetric.PCIE_TX, DcgmMetrics.PROF_PCIE_TX_BYTES),
              Map.entry(GpmMetric.PCIE_RX, DcgmMetrics.PROF_PCIE_RX_BYTES),
              Map.entry(GpmMetric.NVLINK_TX, DcgmMetrics.PROF_NVLINK_TX_BYTES),
              Map.entry(GpmMetric.NVLINK_RX, DcgmMetrics.PROF_NVLINK_RX_BYTES),
              Map.entry(GpmMetric.NVDEC_0_ACTIVE, DcgmMetrics.PROF_NVDEC0_ACTIVE),
              Map.entry(GpmMetric.NVJPG_0_ACTIVE, DcgmMetrics.PROF_NVJPG0_ACTIVE),
              Map.entry(GpmMetric.NVOFA_0_ACTIVE, DcgmMetrics.PROF_NVOFA0_ACTIVE)));

  private static final Map<GpmMetric, Metric> INTEGRALS =
      new EnumMap<>(
          Map.of(
              GpmMetric.SM_ACTIVE, GpuMetrics.SM_ACTIVE_SECONDS,
              GpmMetric.SM_OCCUPANCY, GpuMetrics.SM_OCCUPANCY_SECONDS,
              GpmMetric.TENSOR_ACTIVE, GpuMetrics.TENSOR_ACTIVE_SECONDS,
              GpmMetric.DRAM_ACTIVE, GpuMetrics.DRAM_ACTIVE_SECONDS));

  private final Map<GpmMetric, Double> seconds = new EnumMap<>(GpmMetric.class);

  GpuProfiling() {
    super("gpu_profiling", "SM, tensor, memory and link activity (GPM)", Cadence.FAST, List.of());
  }

  @Override
  void collect(GpuRound round) {
    Reading<GpmValues> reading = round.gpu().gpm(METRICS.keySet());
    round.note(reading);
    if (reading.failure().isEmpty()) {
      round.put(GpuMetrics.GPM_SUPPORTED, reading.toOptional().isPresent() ? 1 : 0);
    }
    reading.toOptional().ifPresent(values -> put(round, values));
  }

  private void put(GpuRound round, GpmValues values) {
    if (values.seconds() > 0) {
      METRICS.forEach((metric, name) -> round.put(name, values.get(metric)));
      INTEGRALS.keySet().forEach(metric -> integrate(metric, values));
    }
    INTEGRALS.forEach((metric, name) -> round.put(name, seconds.getOrDefault(metric, 0.0)));
  }

  private void integrate(GpmMetric metric, GpmValues values) {
    values
        .get(metric)
        .toOptional()
        .ifPresent(ratio -> seconds.merge(metric, ratio * values.seconds(), Double::sum));
  }
}
