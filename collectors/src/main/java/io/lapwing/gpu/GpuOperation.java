package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuSubject.PlainFields;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.Bar1;
import io.lapwing.nvml.NvmlGpu.Clock;
import io.lapwing.nvml.NvmlGpu.Memory;
import io.lapwing.nvml.NvmlGpu.MigMode;
import io.lapwing.nvml.NvmlGpu.PowerRange;
import io.lapwing.nvml.NvmlGpu.TemperatureThreshold;
import io.lapwing.nvml.NvmlGpu.Utilization;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Subjects without state about how a GPU runs: clocks, heat, power, load, memory, limits. */
final class GpuOperation {

  private static final PlainFields VIOLATIONS =
      new PlainFields(
          Map.of(
              NvmlField.VIOLATION_THERMAL, DcgmMetrics.THERMAL_VIOLATION,
              NvmlField.VIOLATION_SYNC_BOOST, DcgmMetrics.SYNC_BOOST_VIOLATION,
              NvmlField.VIOLATION_BOARD_LIMIT, DcgmMetrics.BOARD_LIMIT_VIOLATION,
              NvmlField.VIOLATION_LOW_UTILIZATION, DcgmMetrics.LOW_UTIL_VIOLATION,
              NvmlField.VIOLATION_RELIABILITY, DcgmMetrics.RELIABILITY_VIOLATION,
              NvmlField.VIOLATION_APP_CLOCKS, DcgmMetrics.TOTAL_APP_CLOCKS_VIOLATION,
              NvmlField.VIOLATION_BASE_CLOCKS, DcgmMetrics.TOTAL_BASE_CLOCKS_VIOLATION));

  private static final PlainFields SYNC_BOOST =
      new PlainFields(
          Map.of(NvmlField.VIOLATION_SYNC_BOOST, DcgmMetrics.CLOCKS_EVENT_REASON_SYNC_BOOST_NS));

  private static final PlainFields POWER =
      new PlainFields(Map.of(NvmlField.VIOLATION_POWER, DcgmMetrics.POWER_VIOLATION));

  private static final PlainFields SLOWDOWNS =
      new PlainFields(
          Map.of(
              NvmlField.VIOLATION_POWER, DcgmMetrics.CLOCKS_EVENT_REASON_SW_POWER_CAP_NS,
              NvmlField.SW_THERMAL_SLOWDOWN, DcgmMetrics.CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS,
              NvmlField.HW_THERMAL_SLOWDOWN, DcgmMetrics.CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS,
              NvmlField.HW_POWER_BRAKE_SLOWDOWN,
                  DcgmMetrics.CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS));

  private static final double MEBIBYTE = 1024 * 1024;

  private GpuOperation() {}

  /**
   * Identity and modes of the GPU.
   *
   * <pre>
   * lapwing_gpu_info{gpu="0",UUID="GPU-...",name="NVIDIA H100 80GB HBM3",serial="...",...} 1     read when it was opened
   * DCGM_FI_DEV_MIG_MODE 0              nvmlDeviceGetMigMode
   * DCGM_FI_DEV_PERSISTENCE_MODE 1      nvmlDeviceGetPersistenceMode
   * </pre>
   */
  static GpuSubject info() {
    return GpuSubject.of(
        "gpu_info",
        "what each GPU is and how it is set",
        Cadence.SLOW,
        round -> {
          GpuIdentity gpu = round.identity();
          round.put(
              GpuMetrics.INFO,
              List.of(
                  gpu.name(),
                  gpu.serial(),
                  gpu.pciBusId(),
                  gpu.minorNumber(),
                  gpu.vbiosVersion(),
                  gpu.inforomImageVersion()),
              1);
          round.put(DcgmMetrics.MIG_MODE, round.gpu().migMode().map(MigMode::current));
          round.put(DcgmMetrics.PERSISTENCE_MODE, round.gpu().persistenceMode());
        });
  }

  /**
   * How fast the GPU runs.
   *
   * <pre>
   * DCGM_FI_DEV_SM_CLOCK 1980      nvmlDeviceGetClockInfo, MHz; also MEM_CLOCK, VIDEO_CLOCK
   * DCGM_FI_DEV_PSTATE 0           nvmlDeviceGetPerformanceState
   * </pre>
   */
  static GpuSubject clocks() {
    return GpuSubject.of(
        "gpu_clocks",
        "clocks and performance state",
        Cadence.FAST,
        round -> {
          round.put(DcgmMetrics.SM_CLOCK, round.gpu().clock(Clock.SM));
          round.put(DcgmMetrics.MEM_CLOCK, round.gpu().clock(Clock.MEMORY));
          round.put(DcgmMetrics.VIDEO_CLOCK, round.gpu().clock(Clock.VIDEO));
          round.put(DcgmMetrics.PSTATE, round.gpu().performanceState());
        });
  }

  /**
   * Temperatures.
   *
   * <pre>
   * DCGM_FI_DEV_GPU_TEMP 41         nvmlDeviceGetTemperatureV, C
   * DCGM_FI_DEV_MEMORY_TEMP 47      field 82, C
   * DCGM_FI_DEV_GPU_TEMP_LIMIT 46   nvmlDeviceGetMarginTemperature, C left until slowdown
   * </pre>
   */
  static GpuSubject temperature() {
    return GpuSubject.of(
        "gpu_temperature",
        "temperatures",
        Cadence.MEDIUM,
        round -> {
          round.put(DcgmMetrics.GPU_TEMP, round.gpu().temperature());
          round.put(DcgmMetrics.MEMORY_TEMP, NvmlField.MEMORY_TEMPERATURE);
          round.put(DcgmMetrics.GPU_TEMP_LIMIT, round.gpu().marginTemperature());
        },
        NvmlField.MEMORY_TEMPERATURE);
  }

  /**
   * Power and energy.
   *
   * <pre>
   * DCGM_FI_DEV_POWER_USAGE 627.4                     field 185, or nvmlDeviceGetPowerUsage, W
   * DCGM_FI_DEV_POWER_USAGE_INSTANT 626.2             field 186, W
   * DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 8.1e+10      field 83, mJ
   * </pre>
   */
  static GpuSubject power() {
    return GpuSubject.of(
        "gpu_power",
        "power and energy",
        Cadence.FAST,
        round -> {
          watts(round, DcgmMetrics.POWER_USAGE, NvmlField.POWER_AVERAGE, NvmlGpu::powerUsage);
          round.put(
              DcgmMetrics.POWER_USAGE_INSTANT,
              round.field(NvmlField.POWER_INSTANT).map(GpuOperation::milliToWhole));
          round.put(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, NvmlField.TOTAL_ENERGY);
        },
        NvmlField.POWER_AVERAGE,
        NvmlField.POWER_INSTANT,
        NvmlField.TOTAL_ENERGY);
  }

  /** From the field, or from the call if the driver predates the field. */
  private static void watts(
      GpuRound round, Metric metric, NvmlField field, Function<NvmlGpu, Reading<Integer>> call) {
    round.put(
        metric,
        round
            .field(field)
            .or(() -> call.apply(round.gpu()).map(Integer::doubleValue))
            .map(GpuOperation::milliToWhole));
  }

  /**
   * Utilisation as shown by {@code nvidia-smi}: the share of time with any work, not the share of
   * the GPU in use.
   *
   * <pre>
   * DCGM_FI_DEV_GPU_UTIL 100        nvmlDeviceGetUtilizationRates, %
   * DCGM_FI_DEV_MEM_COPY_UTIL 37
   * DCGM_FI_DEV_ENC_UTIL 0          nvmlDeviceGetEncoderUtilization, %
   * DCGM_FI_DEV_DEC_UTIL 0          nvmlDeviceGetDecoderUtilization, %
   * </pre>
   */
  static GpuSubject utilization() {
    return GpuSubject.of(
        "gpu_utilization",
        "utilisation as nvidia-smi shows it",
        Cadence.FAST,
        round -> {
          Reading<Utilization> rates = round.gpu().utilization();
          round.note(rates);
          rates
              .toOptional()
              .ifPresent(
                  percent -> {
                    round.put(DcgmMetrics.GPU_UTIL, percent.gpu());
                    round.put(DcgmMetrics.MEM_COPY_UTIL, percent.memory());
                  });
          round.put(DcgmMetrics.ENC_UTIL, round.gpu().encoderUtilization());
          round.put(DcgmMetrics.DEC_UTIL, round.gpu().decoderUtilization());
        });
  }

  /**
   * Device memory.
   *
   * <pre>
   * DCGM_FI_DEV_FB_TOTAL 81559           nvmlDeviceGetMemoryInfo_v2, MiB; also FB_FREE, FB_USED
   * DCGM_FI_DEV_FB_RESERVED 574          version 2 of the call only
   * DCGM_FI_DEV_FB_USED_PERCENT 0.85     0 to 1
   * DCGM_FI_DEV_BAR1_TOTAL 131072        nvmlDeviceGetBAR1MemoryInfo, MiB; also BAR1_USED
   * </pre>
   */
  static GpuSubject memory(MigBoard mig) {
    return GpuSubject.of(
        "gpu_memory", "device memory", Cadence.MEDIUM, round -> memory(round, mig));
  }

  private static void memory(GpuRound round, MigBoard mig) {
    Reading<Memory> memory = round.gpu().memory();
    round.note(memory);
    boolean divided = !mig.instances(round.identity().uuid()).isEmpty();
    memory.toOptional().ifPresent(bytes -> memory(round, bytes, divided));
    Reading<Bar1> bar1 = round.gpu().bar1();
    round.put(DcgmMetrics.BAR1_TOTAL, bar1.map(bytes -> mebibytes(bytes.total())));
    bar1.toOptional().ifPresent(bytes -> round.put(DcgmMetrics.BAR1_USED, mebibytes(bytes.used())));
  }

  private static void memory(GpuRound round, Memory bytes, boolean divided) {
    if (divided) {
      round.putHidden(DcgmMetrics.FB_TOTAL, mebibytes(bytes.total()));
      round.putHidden(DcgmMetrics.FB_FREE, mebibytes(bytes.free()));
      round.putHidden(DcgmMetrics.FB_USED, mebibytes(bytes.used()));
      bytes
          .reserved()
          .ifPresent(reserved -> round.putHidden(DcgmMetrics.FB_RESERVED, mebibytes(reserved)));
    } else {
      sizes(round, bytes);
    }
    long usable = bytes.total() - bytes.reserved().orElse(0);
    if (usable > 0) {
      round.put(DcgmMetrics.FB_USED_PERCENT, (double) bytes.used() / usable);
    }
  }

  /** Of a GPU, or of a MIG instance. */
  static void sizes(GpuRound round, Memory bytes) {
    size(round, DcgmMetrics.FB_TOTAL, DcgmMetrics.FB_CAPACITY_BYTES, bytes.total());
    size(round, DcgmMetrics.FB_FREE, DcgmMetrics.FB_FREE_BYTES, bytes.free());
    size(round, DcgmMetrics.FB_USED, DcgmMetrics.FB_USED_BYTES, bytes.used());
    bytes
        .reserved()
        .ifPresent(
            reserved ->
                size(round, DcgmMetrics.FB_RESERVED, DcgmMetrics.FB_RESERVED_BYTES, reserved));
  }

  private static void size(GpuRound round, Metric whole, Metric exact, long bytes) {
    round.put(whole, mebibytes(bytes));
    round.put(exact, (double) bytes);
  }

  /**
   * Time during which power or heat limited the clocks.
   *
   * <pre>
   * DCGM_FI_DEV_POWER_VIOLATION 1.2e+09                       field 74, ns
   * DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS 0    field 270 and others, ns
   * </pre>
   */
  static GpuSubject slowdowns() {
    return GpuSubject.of(
        "gpu_slowdowns",
        "for how long power or heat has held the clocks down",
        Cadence.MEDIUM,
        POWER,
        SLOWDOWNS);
  }

  /**
   * Time during which something else limited the clocks. An H100 takes 4 ms to read these fields.
   *
   * <pre>
   * DCGM_FI_DEV_THERMAL_VIOLATION 0                      fields 75 to 81, ns
   * DCGM_FI_DEV_CLOCKS_EVENT_REASON_SYNC_BOOST_NS 0      field 76, ns
   * </pre>
   */
  static GpuSubject violations() {
    return GpuSubject.of(
        "gpu_violations",
        "for how long the clocks have been held down otherwise",
        Cadence.SLOW,
        VIOLATIONS,
        SYNC_BOOST);
  }

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
  static GpuSubject limits() {
    return GpuSubject.of(
        "gpu_limits",
        "limits of power, temperature and clocks",
        Cadence.SLOW,
        round -> {
          powerLimits(round);
          temperatureLimits(round, round.gpu());
          NvmlGpu gpu = round.gpu();
          round.put(DcgmMetrics.MAX_SM_CLOCK, gpu.maxClock(Clock.SM));
          round.put(DcgmMetrics.MAX_MEM_CLOCK, gpu.maxClock(Clock.MEMORY));
          round.put(DcgmMetrics.APP_SM_CLOCK, gpu.applicationsClock(Clock.GRAPHICS));
          round.put(DcgmMetrics.APP_MEM_CLOCK, gpu.applicationsClock(Clock.MEMORY));
          round.put(DcgmMetrics.PCIE_MAX_LINK_GEN, gpu.maxPcieLinkGeneration());
          round.put(DcgmMetrics.PCIE_MAX_LINK_WIDTH, gpu.maxPcieLinkWidth());
        },
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

  private static void powerLimits(GpuRound round) {
    watts(
        round,
        DcgmMetrics.ENFORCED_POWER_LIMIT,
        NvmlField.POWER_CURRENT_LIMIT,
        NvmlGpu::enforcedPowerLimit);
    watts(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT,
        NvmlField.POWER_REQUESTED_LIMIT,
        NvmlGpu::powerManagementLimit);
    watts(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_DEF,
        NvmlField.POWER_DEFAULT_LIMIT,
        NvmlGpu::powerManagementDefaultLimit);
    watts(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_MIN,
        NvmlField.POWER_MIN_LIMIT,
        gpu -> gpu.powerManagementLimitConstraints().map(PowerRange::min));
    watts(
        round,
        DcgmMetrics.POWER_MGMT_LIMIT_MAX,
        NvmlField.POWER_MAX_LIMIT,
        gpu -> gpu.powerManagementLimitConstraints().map(PowerRange::max));
  }

  private static void temperatureLimits(GpuRound round, NvmlGpu gpu) {
    round.put(DcgmMetrics.SHUTDOWN_TEMP, gpu.temperatureThreshold(TemperatureThreshold.SHUTDOWN));
    round.put(DcgmMetrics.SLOWDOWN_TEMP, gpu.temperatureThreshold(TemperatureThreshold.SLOWDOWN));
    round.put(
        DcgmMetrics.MEM_MAX_OP_TEMP, gpu.temperatureThreshold(TemperatureThreshold.MEMORY_MAX));
    round.put(DcgmMetrics.GPU_MAX_OP_TEMP, gpu.temperatureThreshold(TemperatureThreshold.GPU_MAX));
    margin(round, "shutdown", NvmlField.SHUTDOWN_MARGIN);
    margin(round, "slowdown", NvmlField.SLOWDOWN_MARGIN);
    margin(round, "memory_max", NvmlField.MEMORY_MAX_MARGIN);
    margin(round, "gpu_max", NvmlField.GPU_MAX_MARGIN);
  }

  private static void margin(GpuRound round, String limit, NvmlField field) {
    round.put(GpuMetrics.TEMPERATURE_LIMIT_MARGIN, List.of(limit), round.field(field));
  }

  private static double milliToWhole(double milli) {
    return milli / 1000;
  }

  /** DCGM reports memory in MiB, rounded down. */
  private static double mebibytes(long bytes) {
    return Math.floor(bytes / MEBIBYTE);
  }
}
