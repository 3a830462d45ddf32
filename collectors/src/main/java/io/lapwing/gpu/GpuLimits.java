package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.Clock;
import io.lapwing.nvml.NvmlGpu.PowerRange;
import io.lapwing.nvml.NvmlGpu.TemperatureThreshold;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Limits of power, temperature, clocks and PCIe.
 *
 * <pre>
 * DCGM_FI_DEV_ENFORCED_POWER_LIMIT 700          field 190, or nvmlDeviceGetEnforcedPowerLimit, W
 * DCGM_FI_DEV_POWER_MGMT_LIMIT 700              field 192, or nvmlDeviceGetPowerManagementLimit, W
 * DCGM_FI_DEV_POWER_MGMT_LIMIT_MIN 200          field 187, or nvmlDeviceGetPowerManagementLimitConstraints, W
 * DCGM_FI_DEV_POWER_MGMT_LIMIT_MAX 700          field 188, or the same call, W
 * DCGM_FI_DEV_POWER_MGMT_LIMIT_DEF 700          field 189, or nvmlDeviceGetPowerManagementDefaultLimit, W
 * DCGM_FI_DEV_SLOWDOWN_TEMP 87                  nvmlDeviceGetTemperatureThreshold, C; also SHUTDOWN, *_MAX_OP
 * lapwing_gpu_temperature_limit_margin_celsius{limit="shutdown"} -8     fields 193 to 196
 * DCGM_FI_DEV_MAX_SM_CLOCK 1980                 nvmlDeviceGetMaxClockInfo, MHz; also MAX_MEM_CLOCK
 * DCGM_FI_DEV_APP_SM_CLOCK 1980                 nvmlDeviceGetApplicationsClock, MHz; also APP_MEM_CLOCK
 * DCGM_FI_DEV_PCIE_MAX_LINK_GEN 5               nvmlDeviceGetMaxPcieLinkGeneration; also PCIE_MAX_LINK_WIDTH
 * </pre>
 */
final class GpuLimits extends GpuSubject {

  private static final List<MarginField> MARGINS =
      List.of(
          new MarginField(TemperatureThreshold.SHUTDOWN, NvmlField.SHUTDOWN_MARGIN),
          new MarginField(TemperatureThreshold.SLOWDOWN, NvmlField.SLOWDOWN_MARGIN),
          new MarginField(TemperatureThreshold.MEMORY_MAX, NvmlField.MEMORY_MAX_MARGIN),
          new MarginField(TemperatureThreshold.GPU_MAX, NvmlField.GPU_MAX_MARGIN));

  private record MarginField(TemperatureThreshold limit, NvmlField field) {}

  GpuLimits() {
    super(
        "gpu_limits",
        "limits of power, temperature and clocks",
        Cadence.SLOW,
        NvmlField.POWER_CURRENT_LIMIT,
        NvmlField.POWER_REQUESTED_LIMIT,
        NvmlField.POWER_MIN_LIMIT,
        NvmlField.POWER_MAX_LIMIT,
        NvmlField.POWER_DEFAULT_LIMIT,
        NvmlField.SHUTDOWN_MARGIN,
        NvmlField.SLOWDOWN_MARGIN,
        NvmlField.MEMORY_MAX_MARGIN,
        NvmlField.GPU_MAX_MARGIN);
  }

  @Override
  void collect(GpuRound round) {
    power(round);
    temperatures(round);
    NvmlGpu gpu = round.gpu();
    round.put(DcgmMetrics.MAX_SM_CLOCK, gpu.maxClock(Clock.SM));
    round.put(DcgmMetrics.MAX_MEM_CLOCK, gpu.maxClock(Clock.MEMORY));
    round.put(DcgmMetrics.APP_SM_CLOCK, gpu.applicationsClock(Clock.GRAPHICS));
    round.put(DcgmMetrics.APP_MEM_CLOCK, gpu.applicationsClock(Clock.MEMORY));
    round.put(DcgmMetrics.PCIE_MAX_LINK_GEN, gpu.maxPcieLinkGeneration());
    round.put(DcgmMetrics.PCIE_MAX_LINK_WIDTH, gpu.maxPcieLinkWidth());
  }

  private static void power(GpuRound round) {
    limit(
        round,
        DcgmMetrics.ENFORCED_POWER_LIMIT,
        NvmlField.POWER_CURRENT_LIMIT,
        NvmlGpu::enforcedPowerLimit);
    limit(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT,
        NvmlField.POWER_REQUESTED_LIMIT,
        NvmlGpu::powerManagementLimit);
    limit(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_DEF,
        NvmlField.POWER_DEFAULT_LIMIT,
        NvmlGpu::powerManagementDefaultLimit);
    limit(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_MIN,
        NvmlField.POWER_MIN_LIMIT,
        gpu -> gpu.powerManagementLimitConstraints().map(PowerRange::min));
    limit(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_MAX,
        NvmlField.POWER_MAX_LIMIT,
        gpu -> gpu.powerManagementLimitConstraints().map(PowerRange::max));
  }

  /** From the field, or from the call if the driver predates the field. */
  private static void limit(
      GpuRound round, Metric metric, NvmlField field, Function<NvmlGpu, Reading<Integer>> call) {
    round.put(
        metric,
        round
            .field(field)
            .or(() -> call.apply(round.gpu()).map(Integer::doubleValue))
            .map(Units::milliToWhole));
  }

  private static void temperatures(GpuRound round) {
    NvmlGpu gpu = round.gpu();
    round.put(DcgmMetrics.SHUTDOWN_TEMP, gpu.temperatureThreshold(TemperatureThreshold.SHUTDOWN));
    round.put(DcgmMetrics.SLOWDOWN_TEMP, gpu.temperatureThreshold(TemperatureThreshold.SLOWDOWN));
    round.put(
        DcgmMetrics.MEM_MAX_OP_TEMP, gpu.temperatureThreshold(TemperatureThreshold.MEMORY_MAX));
    round.put(DcgmMetrics.GPU_MAX_OP_TEMP, gpu.temperatureThreshold(TemperatureThreshold.GPU_MAX));
    for (MarginField margin : MARGINS) {
      round.put(
          GpuMetrics.TEMPERATURE_LIMIT_MARGIN,
          List.of(margin.limit().name().toLowerCase(Locale.ROOT)),
          round.field(margin.field()));
    }
  }
}
