package io.lapwing.gpu;

import io.lapwing.dcgm.DcgmHealthSystem;
import io.lapwing.dcgm.DcgmIncident.Result;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The GPU families with DCGM's field names and units, for existing dashboards and alerts. */
public final class DcgmMetrics {

  /** dcgm-exporter's labels in its order. */
  public static final List<String> LABELS =
      List.of("gpu", "UUID", "pci_bus_id", "device", "modelName", "Hostname");

  public static final Metric SM_CLOCK =
      dev("SM_CLOCK", "SM clock in MHz (nvmlDeviceGetClockInfo).");
  public static final Metric MEM_CLOCK =
      dev("MEM_CLOCK", "Memory clock in MHz (nvmlDeviceGetClockInfo).");
  public static final Metric VIDEO_CLOCK =
      dev("VIDEO_CLOCK", "Video clock in MHz (nvmlDeviceGetClockInfo).");
  public static final Metric APP_SM_CLOCK =
      dev("APP_SM_CLOCK", "Requested SM clock in MHz (nvmlDeviceGetApplicationsClock).");
  public static final Metric APP_MEM_CLOCK =
      dev("APP_MEM_CLOCK", "Requested memory clock in MHz (nvmlDeviceGetApplicationsClock).");
  public static final Metric MAX_SM_CLOCK =
      dev("MAX_SM_CLOCK", "Highest SM clock in MHz (nvmlDeviceGetMaxClockInfo).");
  public static final Metric MAX_MEM_CLOCK =
      dev("MAX_MEM_CLOCK", "Highest memory clock in MHz (nvmlDeviceGetMaxClockInfo).");
  public static final Metric PSTATE =
      dev("PSTATE", "Performance state; 0 is the fastest (nvmlDeviceGetPerformanceState).");

  public static final Metric CLOCKS_EVENT_REASONS =
      dev(
          "CLOCKS_EVENT_REASONS",
          "Bit mask of the reasons that limit the clocks now"
              + " (nvmlDeviceGetCurrentClocksEventReasons).");
  public static final Metric CLOCKS_EVENT_REASON_SW_POWER_CAP_NS =
      devCounter(
          "CLOCKS_EVENT_REASON_SW_POWER_CAP_NS",
          "Nanoseconds the clocks were limited by the power limit (NVML field 74).");
  public static final Metric CLOCKS_EVENT_REASON_SYNC_BOOST_NS =
      devCounter(
          "CLOCKS_EVENT_REASON_SYNC_BOOST_NS",
          "Nanoseconds the clocks were limited by the sync boost group (NVML field 76).");
  public static final Metric CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS =
      devCounter(
          "CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS",
          "Nanoseconds the clocks were limited by software thermal slowdown (NVML field 269).");
  public static final Metric CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS =
      devCounter(
          "CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS",
          "Nanoseconds the clocks were limited by hardware thermal slowdown (NVML field 270).");
  public static final Metric CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS =
      devCounter(
          "CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS",
          "Nanoseconds the clocks were limited by the external power brake (NVML field 271).");

  public static final Metric POWER_VIOLATION =
      devCounter(
          "POWER_VIOLATION", "Nanoseconds below requested clocks due to power (NVML field 74).");
  public static final Metric THERMAL_VIOLATION =
      devCounter(
          "THERMAL_VIOLATION",
          "Nanoseconds below requested clocks due to temperature (NVML field 75).");
  public static final Metric SYNC_BOOST_VIOLATION =
      devCounter(
          "SYNC_BOOST_VIOLATION",
          "Nanoseconds below requested clocks due to the sync boost group (NVML field 76).");
  public static final Metric BOARD_LIMIT_VIOLATION =
      devCounter(
          "BOARD_LIMIT_VIOLATION",
          "Nanoseconds below requested clocks due to the board limit (NVML field 77).");
  public static final Metric LOW_UTIL_VIOLATION =
      devCounter(
          "LOW_UTIL_VIOLATION",
          "Nanoseconds below requested clocks due to low utilisation (NVML field 78).");
  public static final Metric RELIABILITY_VIOLATION =
      devCounter(
          "RELIABILITY_VIOLATION",
          "Nanoseconds below requested clocks due to reliability (NVML field 79).");
  public static final Metric TOTAL_APP_CLOCKS_VIOLATION =
      devCounter(
          "TOTAL_APP_CLOCKS_VIOLATION",
          "Nanoseconds below the application clocks for any reason (NVML field 80).");
  public static final Metric TOTAL_BASE_CLOCKS_VIOLATION =
      devCounter(
          "TOTAL_BASE_CLOCKS_VIOLATION",
          "Nanoseconds below the base clocks for any reason (NVML field 81).");

  public static final Metric GPU_TEMP =
      dev("GPU_TEMP", "Core temperature in C (nvmlDeviceGetTemperatureV).");
  public static final Metric MEMORY_TEMP =
      dev("MEMORY_TEMP", "Memory temperature in C (NVML field 82).");
  public static final Metric GPU_TEMP_LIMIT =
      dev("GPU_TEMP_LIMIT", "Degrees C left until slowdown (nvmlDeviceGetMarginTemperature).");
  public static final Metric SLOWDOWN_TEMP =
      dev(
          "SLOWDOWN_TEMP",
          "Temperature in C at which the hardware slows down (nvmlDeviceGetTemperatureThreshold).");
  public static final Metric SHUTDOWN_TEMP =
      dev(
          "SHUTDOWN_TEMP",
          "Temperature in C at which the GPU shuts down (nvmlDeviceGetTemperatureThreshold).");
  public static final Metric MEM_MAX_OP_TEMP =
      dev(
          "MEM_MAX_OP_TEMP",
          "Highest operating temperature of the memory in C (nvmlDeviceGetTemperatureThreshold).");
  public static final Metric GPU_MAX_OP_TEMP =
      dev(
          "GPU_MAX_OP_TEMP",
          "Highest operating temperature of the core in C (nvmlDeviceGetTemperatureThreshold).");

  public static final Metric POWER_USAGE =
      dev("POWER_USAGE", "Power in W, averaged over about a second (NVML field 185).");
  public static final Metric POWER_USAGE_INSTANT =
      dev("POWER_USAGE_INSTANT", "Power in W at this moment (NVML field 186).");
  public static final Metric TOTAL_ENERGY_CONSUMPTION =
      devCounter(
          "TOTAL_ENERGY_CONSUMPTION", "Energy in mJ since the driver was loaded (NVML field 83).");
  public static final Metric ENFORCED_POWER_LIMIT =
      dev("ENFORCED_POWER_LIMIT", "Enforced power limit in W (NVML field 190).");
  public static final Metric POWER_MGMT_LIMIT =
      dev("POWER_MGMT_LIMIT", "Requested power limit in W (NVML field 192).");
  public static final Metric POWER_MGMT_LIMIT_MIN =
      dev("POWER_MGMT_LIMIT_MIN", "Lowest power limit that can be set in W (NVML field 187).");
  public static final Metric POWER_MGMT_LIMIT_MAX =
      dev("POWER_MGMT_LIMIT_MAX", "Highest power limit that can be set in W (NVML field 188).");
  public static final Metric POWER_MGMT_LIMIT_DEF =
      dev("POWER_MGMT_LIMIT_DEF", "Default power limit in W (NVML field 189).");

  public static final Metric GPU_UTIL =
      dev(
          "GPU_UTIL",
          "Percent of the sample period in which any kernel was running"
              + " (nvmlDeviceGetUtilizationRates).");
  public static final Metric MEM_COPY_UTIL =
      dev(
          "MEM_COPY_UTIL",
          "Percent of the sample period in which memory was accessed"
              + " (nvmlDeviceGetUtilizationRates).");
  public static final Metric ENC_UTIL =
      dev("ENC_UTIL", "Encoder utilisation in percent (nvmlDeviceGetEncoderUtilization).");
  public static final Metric DEC_UTIL =
      dev("DEC_UTIL", "Decoder utilisation in percent (nvmlDeviceGetDecoderUtilization).");

  public static final Metric FB_TOTAL =
      dev("FB_TOTAL", "Total memory in MiB (nvmlDeviceGetMemoryInfo_v2).");
  public static final Metric FB_FREE =
      dev("FB_FREE", "Free memory in MiB (nvmlDeviceGetMemoryInfo_v2).");
  public static final Metric FB_USED =
      dev("FB_USED", "Used memory in MiB (nvmlDeviceGetMemoryInfo_v2).");
  public static final Metric FB_RESERVED =
      dev("FB_RESERVED", "Memory reserved by the driver in MiB (nvmlDeviceGetMemoryInfo_v2).");
  public static final Metric FB_USED_PERCENT =
      dev(
          "FB_USED_PERCENT",
          "Used memory as a ratio from 0 to 1: used / (total - reserved)"
              + " (nvmlDeviceGetMemoryInfo_v2).");

  /** The memory in bytes, which DCGM has since 4.7; exposed as a name generation asks. */
  static final Metric FB_CAPACITY_BYTES = inBytes("FB_CAPACITY_BYTES", "Total memory");

  static final Metric FB_FREE_BYTES = inBytes("FB_FREE_BYTES", "Free memory");
  static final Metric FB_USED_BYTES = inBytes("FB_USED_BYTES", "Used memory");
  static final Metric FB_RESERVED_BYTES =
      inBytes("FB_RESERVED_BYTES", "Memory reserved by the driver");

  /** The exact families of those in MiB. */
  static final Map<Metric, Metric> IN_BYTES =
      Map.of(
          FB_TOTAL, FB_CAPACITY_BYTES,
          FB_FREE, FB_FREE_BYTES,
          FB_USED, FB_USED_BYTES,
          FB_RESERVED, FB_RESERVED_BYTES);

  public static final Metric BAR1_TOTAL =
      dev("BAR1_TOTAL", "Size of the BAR1 window in MiB (nvmlDeviceGetBAR1MemoryInfo).");
  public static final Metric BAR1_USED =
      dev("BAR1_USED", "Used part of the BAR1 window in MiB (nvmlDeviceGetBAR1MemoryInfo).");

  public static final Metric ECC_CURRENT =
      dev("ECC_CURRENT", "1 if ECC is enabled (NVML field 1).");
  public static final Metric ECC_PENDING =
      dev("ECC_PENDING", "1 if ECC will be enabled after the next reboot (NVML field 2).");
  public static final Metric ECC_SBE_VOL_TOTAL =
      devCounter(
          "ECC_SBE_VOL_TOTAL", "Corrected ECC errors since the driver was loaded (NVML field 3).");
  public static final Metric ECC_DBE_VOL_TOTAL =
      devCounter(
          "ECC_DBE_VOL_TOTAL",
          "Uncorrectable ECC errors since the driver was loaded (NVML field 4).");
  public static final Metric ECC_SBE_AGG_TOTAL =
      devCounter(
          "ECC_SBE_AGG_TOTAL", "Corrected ECC errors over the life of the board (NVML field 5).");
  public static final Metric ECC_DBE_AGG_TOTAL =
      devCounter(
          "ECC_DBE_AGG_TOTAL",
          "Uncorrectable ECC errors over the life of the board (NVML field 6).");
  public static final Metric ECC_SBE_VOL_DEV =
      ecc("ECC_SBE_VOL_DEV", "Corrected", "DRAM", "since the driver was loaded");
  public static final Metric ECC_DBE_VOL_DEV =
      ecc("ECC_DBE_VOL_DEV", "Uncorrectable", "DRAM", "since the driver was loaded");
  public static final Metric ECC_SBE_AGG_DEV =
      ecc("ECC_SBE_AGG_DEV", "Corrected", "DRAM", "over the life of the board");
  public static final Metric ECC_DBE_AGG_DEV =
      ecc("ECC_DBE_AGG_DEV", "Uncorrectable", "DRAM", "over the life of the board");
  public static final Metric ECC_SBE_VOL_SRM =
      ecc("ECC_SBE_VOL_SRM", "Corrected", "SRAM", "since the driver was loaded");
  public static final Metric ECC_DBE_VOL_SRM =
      ecc("ECC_DBE_VOL_SRM", "Uncorrectable", "SRAM", "since the driver was loaded");
  public static final Metric ECC_SBE_AGG_SRM =
      ecc("ECC_SBE_AGG_SRM", "Corrected", "SRAM", "over the life of the board");
  public static final Metric ECC_DBE_AGG_SRM =
      ecc("ECC_DBE_AGG_SRM", "Uncorrectable", "SRAM", "over the life of the board");
  public static final Metric THRESHOLD_SRM =
      dev(
          "THRESHOLD_SRM",
          "1 after uncorrectable SRAM errors exceeded the driver's threshold"
              + " (nvmlDeviceGetSramEccErrorStatus).");

  public static final Metric RETIRED_SBE =
      devCounter(
          "RETIRED_SBE", "Pages retired for corrected errors, before Ampere only (NVML field 29).");
  public static final Metric RETIRED_DBE =
      devCounter(
          "RETIRED_DBE",
          "Pages retired for uncorrectable errors, before Ampere only (NVML field 30).");
  public static final Metric RETIRED_PENDING =
      dev(
          "RETIRED_PENDING",
          "1 while page retirements are pending, before Ampere only (NVML field 31).");
  public static final Metric UNCORRECTABLE_REMAPPED_ROWS =
      devCounter(
          "UNCORRECTABLE_REMAPPED_ROWS",
          "Rows remapped for uncorrectable errors (NVML field 143).");
  public static final Metric CORRECTABLE_REMAPPED_ROWS =
      devCounter(
          "CORRECTABLE_REMAPPED_ROWS", "Rows remapped for correctable errors (NVML field 142).");
  public static final Metric ROW_REMAP_FAILURE =
      dev("ROW_REMAP_FAILURE", "1 after a row could not be remapped (NVML field 145).");
  public static final Metric ROW_REMAP_PENDING =
      dev("ROW_REMAP_PENDING", "1 while a row remap is pending a GPU reset (NVML field 144).");
  public static final Metric BANKS_REMAP_ROWS_AVAIL_MAX = banks("MAX", "all their spare rows");
  public static final Metric BANKS_REMAP_ROWS_AVAIL_HIGH = banks("HIGH", "many spare rows");
  public static final Metric BANKS_REMAP_ROWS_AVAIL_PARTIAL = banks("PARTIAL", "some spare rows");
  public static final Metric BANKS_REMAP_ROWS_AVAIL_LOW = banks("LOW", "few spare rows");
  public static final Metric BANKS_REMAP_ROWS_AVAIL_NONE = banks("NONE", "no spare row");

  public static final Metric MEMORY_UNREPAIRABLE_FLAG =
      dev(
          "MEMORY_UNREPAIRABLE_FLAG",
          "1 if the GPU has memory that cannot be repaired; absent where the driver has no such flag"
              + " (nvmlDeviceGetUnrepairableMemoryFlag_v1).");

  public static final Metric INFOROM_CONFIG_VALID =
      dev(
          "INFOROM_CONFIG_VALID",
          "1 if the InfoROM passes validation, 0 if it is corrupted; read once an hour"
              + " (nvmlDeviceValidateInforom).");
  public static final Metric INFOROM_CONFIG_CHECK =
      dev(
          "INFOROM_CONFIG_CHECK",
          "Checksum of the configuration in the InfoROM; equal for equally configured GPUs"
              + " (nvmlDeviceGetInforomConfigurationChecksum).");

  public static final Metric PCIE_REPLAY_COUNTER =
      devCounter("PCIE_REPLAY_COUNTER", "PCIe replays (NVML field 94).");
  public static final Metric PCIE_COUNT_CORRECTABLE_ERRORS =
      devCounter("PCIE_COUNT_CORRECTABLE_ERRORS", "PCIe correctable errors (NVML field 173).");
  public static final Metric PCIE_LINK_GEN =
      dev("PCIE_LINK_GEN", "Current PCIe generation (nvmlDeviceGetCurrPcieLinkGeneration).");
  public static final Metric PCIE_LINK_WIDTH =
      dev("PCIE_LINK_WIDTH", "Current PCIe link width (nvmlDeviceGetCurrPcieLinkWidth).");
  public static final Metric PCIE_MAX_LINK_GEN =
      dev("PCIE_MAX_LINK_GEN", "Maximum PCIe generation (nvmlDeviceGetMaxPcieLinkGeneration).");
  public static final Metric PCIE_MAX_LINK_WIDTH =
      dev("PCIE_MAX_LINK_WIDTH", "Maximum PCIe link width (nvmlDeviceGetMaxPcieLinkWidth).");

  public static final Metric NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL =
      devCounter(
          "NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
          "NVLink flow control CRC errors, NVLink 4 and older (NVML field 38).");
  public static final Metric NVLINK_CRC_DATA_ERROR_COUNT_TOTAL =
      devCounter(
          "NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
          "NVLink data CRC errors, NVLink 4 and older (NVML field 45).");
  public static final Metric NVLINK_REPLAY_ERROR_COUNT_TOTAL =
      devCounter(
          "NVLINK_REPLAY_ERROR_COUNT_TOTAL", "NVLink replays, NVLink 4 and older (NVML field 52).");
  public static final Metric NVLINK_RECOVERY_ERROR_COUNT_TOTAL =
      devCounter(
          "NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
          "NVLink recoveries, NVLink 4 and older (NVML field 59).");
  public static final Metric NVLINK_BANDWIDTH_TOTAL =
      dev(
          "NVLINK_BANDWIDTH_TOTAL",
          "NVLink payload of all links in both directions, in MB/s (NVML fields 138 and 139).");
  public static final Metric NVLINK_TX_BANDWIDTH_TOTAL =
      dev("NVLINK_TX_BANDWIDTH_TOTAL", "NVLink payload sent, in MB/s (NVML field 138).");
  public static final Metric NVLINK_RX_BANDWIDTH_TOTAL =
      dev("NVLINK_RX_BANDWIDTH_TOTAL", "NVLink payload received, in MB/s (NVML field 139).");
  public static final Metric NVLINK_BANDWIDTH_L0 =
      dev(
          "NVLINK_BANDWIDTH_L0",
          "NVLink payload of link 0 in both directions, in MB/s (NVML fields 138 and 139).");
  public static final Metric NVLINK_ERROR_DL_CRC =
      nvlink("NVLINK_ERROR_DL_CRC", "CRC errors of the NVLink data link layer", 163);
  public static final Metric NVLINK_ERROR_DL_RECOVERY =
      nvlink("NVLINK_ERROR_DL_RECOVERY", "Recoveries of the NVLink data link layer", 162);
  public static final Metric NVLINK_ERROR_DL_REPLAY =
      nvlink("NVLINK_ERROR_DL_REPLAY", "Replays of the NVLink data link layer", 161);
  public static final Metric NVLINK_COUNT_TX_PACKETS =
      nvlink5("NVLINK_COUNT_TX_PACKETS", "packets sent", 201);
  public static final Metric NVLINK_COUNT_TX_BYTES =
      nvlink5("NVLINK_COUNT_TX_BYTES", "bytes sent", 202);
  public static final Metric NVLINK_COUNT_RX_PACKETS =
      nvlink5("NVLINK_COUNT_RX_PACKETS", "packets received", 203);
  public static final Metric NVLINK_COUNT_RX_BYTES =
      nvlink5("NVLINK_COUNT_RX_BYTES", "bytes received", 204);
  public static final Metric NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS =
      nvlink5("NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS", "malformed packets received", 206);
  public static final Metric NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS =
      nvlink5("NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS", "packets dropped due to full buffers", 207);
  public static final Metric NVLINK_COUNT_RX_ERRORS =
      nvlink5("NVLINK_COUNT_RX_ERRORS", "packets received with errors", 208);
  public static final Metric NVLINK_COUNT_RX_REMOTE_ERRORS =
      nvlink5("NVLINK_COUNT_RX_REMOTE_ERRORS", "packets marked bad by the sender", 209);
  public static final Metric NVLINK_COUNT_RX_GENERAL_ERRORS =
      nvlink5("NVLINK_COUNT_RX_GENERAL_ERRORS", "packets with a header mismatch", 210);
  public static final Metric NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS =
      nvlink5("NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS", "link integrity errors", 211);
  public static final Metric NVLINK_COUNT_TX_DISCARDS =
      nvlink5("NVLINK_COUNT_TX_DISCARDS", "packets discarded while sending", 212);
  public static final Metric NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS =
      nvlink5("NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS", "recoveries that succeeded", 213);
  public static final Metric NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS =
      nvlink5("NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS", "recoveries that failed", 214);
  public static final Metric NVLINK_COUNT_LINK_RECOVERY_EVENTS =
      nvlink5("NVLINK_COUNT_LINK_RECOVERY_EVENTS", "recoveries", 215);
  public static final Metric NVLINK_COUNT_EFFECTIVE_ERRORS =
      nvlink5("NVLINK_COUNT_EFFECTIVE_ERRORS", "errors left after correction", 219);
  public static final Metric NVLINK_COUNT_RX_SYMBOL_ERRORS =
      nvlink5("NVLINK_COUNT_RX_SYMBOL_ERRORS", "errors in received symbols", 221);
  public static final Metric NVLINK_COUNT_EFFECTIVE_BER_FLOAT =
      dev(
          "NVLINK_COUNT_EFFECTIVE_BER_FLOAT",
          "NVLink 5 and newer: bit error rate after correction, largest of the links (NVML field"
              + " 220).");
  public static final Metric NVLINK_COUNT_SYMBOL_BER_FLOAT =
      dev(
          "NVLINK_COUNT_SYMBOL_BER_FLOAT",
          "NVLink 5 and newer: bit error rate of symbols, largest of the links (NVML field 222).");

  public static final Metric FABRIC_MANAGER_STATUS =
      dev(
          "FABRIC_MANAGER_STATUS",
          "Fabric state: 0 not supported, 1 not started, 2 in progress, 3 completed, 4 failed,"
              + " 5 not recognized (nvmlDeviceGetGpuFabricInfoV).");
  public static final Metric FABRIC_MANAGER_ERROR_CODE =
      dev(
          "FABRIC_MANAGER_ERROR_CODE",
          "nvmlReturn_t of the fabric registration, after completion"
              + " (nvmlDeviceGetGpuFabricInfoV).");
  public static final Metric FABRIC_HEALTH_MASK =
      dev("FABRIC_HEALTH_MASK", "Bit fields of fabric health (nvmlDeviceGetGpuFabricInfoV).");
  public static final Metric FABRIC_HEALTH_SUMMARY =
      dev(
          "FABRIC_HEALTH_SUMMARY",
          "Fabric health: 0 not supported, 1 healthy, 2 unhealthy, 3 limited"
              + " (nvmlDeviceGetGpuFabricInfoV).");
  public static final Metric GET_GPU_RECOVERY_ACTION =
      dev(
          "GET_GPU_RECOVERY_ACTION",
          "Recovery action reported by the driver: 0 none, 1 GPU reset, 2 reboot, 3 drain P2P, 4"
              + " drain and reset, 5 recover IMEX (NVML field 230).");
  public static final Metric MIG_MODE =
      dev("MIG_MODE", "1 if MIG is enabled (nvmlDeviceGetMigMode).");
  public static final Metric PERSISTENCE_MODE =
      dev("PERSISTENCE_MODE", "1 if persistence mode is enabled (nvmlDeviceGetPersistenceMode).");

  public static final Metric VGPU_LICENSE_STATUS =
      dev(
          "VGPU_LICENSE_STATUS",
          "1 if the vGPU of this virtual machine is licensed; absent elsewhere"
              + " (nvmlDeviceGetGridLicensableFeatures_v4).");

  public static final Metric XID_ERRORS =
      dev(
          "XID_ERRORS",
          "Number of the last XID since the boot, also after a reset of the GPU; 0 before the first (kernel log, nvmlEventSetWait_v2).");
  public static final Metric EXP_XID_ERRORS_COUNT =
      new Metric(
          "DCGM_EXP_XID_ERRORS_COUNT",
          MetricType.GAUGE,
          "XIDs in the last window; lapwing_gpu_xid_errors_total counts without a window"
              + " (nvmlEventSetWait_v2).",
          plus("window_size_in_ms", "xid"));
  public static final Metric EXP_CLOCK_EVENTS_COUNT =
      new Metric(
          "DCGM_EXP_CLOCK_EVENTS_COUNT",
          MetricType.GAUGE,
          "Samples in the last window with a clock event reason set; the _NS counters are exact"
              + " (nvmlDeviceGetCurrentClocksEventReasons).",
          plus("clock_event", "window_size_in_ms"));
  public static final Metric EXP_XID_ERRORS_TOTAL =
      new Metric(
          "DCGM_EXP_XID_ERRORS_TOTAL",
          MetricType.COUNTER,
          "XIDs since boot, by number; 48, 63, 64, 74, 79, 94, 95, 119 and 120 start at 0;"
              + " lapwing_gpu_xid_errors_total under DCGM's name (kernel log and nvmlEventSetWait_v2).",
          plus("xid"));
  public static final Metric EXP_CLOCK_EVENTS_TOTAL =
      new Metric(
          "DCGM_EXP_CLOCK_EVENTS_TOTAL",
          MetricType.COUNTER,
          "Times that a reason began to limit the clocks since the agent started, from 0 on; the _NS"
              + " counters are exact (nvmlDeviceGetCurrentClocksEventReasons).",
          plus("clock_event"));
  public static final Metric EXP_GPU_HEALTH_STATUS =
      new Metric(
          "DCGM_EXP_GPU_HEALTH_STATUS",
          MetricType.GAUGE,
          "Result of a health watch of DCGM: 0 passed, 10 warning, 20 failed; with --dcgm.engine"
              + " (dcgmHealthCheck).",
          plus("health_error_code", "health_watch"));

  /** The values of {@code health_watch}, and of the family for a warning. */
  public static final List<String> HEALTH_WATCHES =
      Arrays.stream(DcgmHealthSystem.values()).map(DcgmHealthSystem::name).toList();

  public static final int HEALTH_WARNING = Result.WARN.value();

  public static final Metric EXP_P2P_STATUS =
      new Metric(
          "DCGM_EXP_P2P_STATUS",
          MetricType.GAUGE,
          "NVLink P2P status between two GPUs; 0 is OK (nvmlDeviceGetP2PStatus).",
          plus("link_status", "peer_gpu"));

  public static final Metric PROF_GR_ENGINE_ACTIVE =
      prof("GR_ENGINE_ACTIVE", "Ratio of time the graphics or compute engine was busy", 1);
  public static final Metric PROF_SM_ACTIVE =
      prof("SM_ACTIVE", "Ratio of cycles an SM had a warp, over all SMs", 2);
  public static final Metric PROF_SM_OCCUPANCY =
      prof("SM_OCCUPANCY", "Resident warps as a ratio of the maximum per SM", 3);
  public static final Metric PROF_PIPE_TENSOR_ACTIVE =
      prof("PIPE_TENSOR_ACTIVE", "Ratio of cycles a tensor pipe was busy", 5);
  public static final Metric PROF_DRAM_ACTIVE =
      prof("DRAM_ACTIVE", "Ratio of cycles the memory interface was busy", 10);
  public static final Metric PROF_PIPE_FP64_ACTIVE =
      prof("PIPE_FP64_ACTIVE", "Ratio of cycles the FP64 pipe was busy", 11);
  public static final Metric PROF_PIPE_FP32_ACTIVE =
      prof("PIPE_FP32_ACTIVE", "Ratio of cycles the FP32 pipe was busy", 12);
  public static final Metric PROF_PIPE_FP16_ACTIVE =
      prof("PIPE_FP16_ACTIVE", "Ratio of cycles the FP16 pipe was busy", 13);
  public static final Metric PROF_PIPE_INT_ACTIVE =
      prof("PIPE_INT_ACTIVE", "Ratio of cycles the integer pipe was busy", 4);
  public static final Metric PROF_PIPE_TENSOR_DFMA_ACTIVE =
      prof("PIPE_TENSOR_DFMA_ACTIVE", "Ratio of cycles the FP64 tensor pipe was busy", 6);
  public static final Metric PROF_PIPE_TENSOR_HMMA_ACTIVE =
      prof("PIPE_TENSOR_HMMA_ACTIVE", "Ratio of cycles the half precision tensor pipe was busy", 7);
  public static final Metric PROF_PIPE_TENSOR_IMMA_ACTIVE =
      prof("PIPE_TENSOR_IMMA_ACTIVE", "Ratio of cycles the integer tensor pipe was busy", 9);
  public static final Metric PROF_PCIE_TX_BYTES =
      prof("PCIE_TX_BYTES", "Bytes per second sent over PCIe with headers", 20);
  public static final Metric PROF_PCIE_RX_BYTES =
      prof("PCIE_RX_BYTES", "Bytes per second received over PCIe with headers", 21);
  public static final Metric PROF_NVLINK_TX_BYTES =
      prof("NVLINK_TX_BYTES", "Bytes per second sent over all NVLinks", 61);
  public static final Metric PROF_NVLINK_RX_BYTES =
      prof("NVLINK_RX_BYTES", "Bytes per second received over all NVLinks", 60);
  public static final Metric PROF_C2C_TX_ALL_BYTES =
      prof("C2C_TX_ALL_BYTES", "Bytes per second sent over the C2C links with headers", 100);
  public static final Metric PROF_C2C_RX_ALL_BYTES =
      prof("C2C_RX_ALL_BYTES", "Bytes per second received over the C2C links with headers", 101);
  public static final Metric PROF_NVDEC0_ACTIVE =
      prof("NVDEC0_ACTIVE", "Ratio of time video decoder 0 was busy", 30);
  public static final Metric PROF_NVJPG0_ACTIVE =
      prof("NVJPG0_ACTIVE", "Ratio of time JPEG decoder 0 was busy", 40);
  public static final Metric PROF_NVOFA0_ACTIVE =
      prof("NVOFA0_ACTIVE", "Ratio of time optical flow engine 0 was busy", 50);

  /** Of an NVSwitch, not of a GPU. */
  public static final Metric C2C_LINK_COUNT =
      dev(
          "C2C_LINK_COUNT",
          "Chip-to-chip links of the GPU, to a Grace CPU; absent without (NVML field 170).");

  public static final Metric C2C_LINK_STATUS =
      dev(
          "C2C_LINK_STATUS",
          "1 if the first C2C link is active; lapwing_gpu_c2c_links_up counts them (NVML field"
              + " 171).");
  public static final Metric C2C_MAX_BANDWIDTH =
      dev("C2C_MAX_BANDWIDTH", "Speed of the first C2C link in MB/s (NVML field 172).");
  public static final Metric C2C_LINK_ERROR_INTR =
      devCounter("C2C_LINK_ERROR_INTR", "CRC errors of the first C2C link (NVML field 231).");
  public static final Metric C2C_LINK_ERROR_REPLAY =
      devCounter("C2C_LINK_ERROR_REPLAY", "Replays of the first C2C link (NVML field 232).");
  public static final Metric C2C_LINK_ERROR_REPLAY_B2B =
      devCounter(
          "C2C_LINK_ERROR_REPLAY_B2B",
          "Back-to-back replays of the first C2C link (NVML field 233).");

  public static final Metric CPU_UTIL_TOTAL =
      cpu("CPU_UTIL_TOTAL", "Ratio of time the cores of a Grace CPU were busy", 1100);
  public static final Metric CPU_TEMP_CURRENT =
      cpu("CPU_TEMP_CURRENT", "Temperature of a Grace CPU in C", 1110);
  public static final Metric CPU_POWER_UTIL_CURRENT =
      cpu("CPU_POWER_UTIL_CURRENT", "Power of a Grace CPU in W", 1130);
  public static final Metric CPU_POWER_LIMIT =
      cpu("CPU_POWER_LIMIT", "Power limit of a Grace CPU in W", 1131);
  public static final Metric SYSIO_POWER_UTIL_CURRENT =
      cpu("SYSIO_POWER_UTIL_CURRENT", "SysIO power (SoC) of a Grace CPU in W", 1132);
  public static final Metric MODULE_POWER_UTIL_CURRENT =
      cpu("MODULE_POWER_UTIL_CURRENT", "Power of the module of a Grace CPU in W", 1133);
  public static final Metric IMEX_DAEMON_STATUS =
      new Metric(
          "DCGM_FI_IMEX_DAEMON_STATUS",
          MetricType.GAUGE,
          "Status of the node's IMEX daemon: 5 is ready, lapwing_imex_daemon_state names it; once"
              + " for the node, read by DCGM only (DCGM field 1503).",
          List.of("Hostname"));

  public static final Metric NVSWITCH_FATAL_ERRORS =
      nvswitch("FATAL_ERRORS", "Number of the last fatal SXid of an NVSwitch", 856);

  public static final Metric NVSWITCH_NON_FATAL_ERRORS =
      nvswitch("NON_FATAL_ERRORS", "Number of the last non-fatal SXid of an NVSwitch", 857);

  public static final Metric NVSWITCH_TEMPERATURE_CURRENT =
      ofSwitch("TEMPERATURE_CURRENT", "Temperature of an NVSwitch in C", 858);
  public static final Metric NVSWITCH_POWER_VDD =
      ofSwitch("POWER_VDD", "Power of an NVSwitch at VDD in W", 705);
  public static final Metric NVSWITCH_RESET_REQUIRED =
      ofSwitch("RESET_REQUIRED", "1 if an NVSwitch has to be reset", 864);

  public static final Metric NVSWITCH_LINK_STATUS =
      ofLink(
          MetricType.GAUGE,
          "STATUS",
          "State of a link of an NVSwitch: -1 unknown, 0 off, 1 safe, 2 active, 3 error, 4 sleep",
          870);
  public static final Metric NVSWITCH_LINK_FATAL_ERRORS =
      ofLink(
          MetricType.GAUGE,
          "FATAL_ERRORS",
          "Number of the last fatal SXid of a link of an NVSwitch; absent before the first",
          782);
  public static final Metric NVSWITCH_LINK_NON_FATAL_ERRORS =
      ofLink(
          MetricType.GAUGE,
          "NON_FATAL_ERRORS",
          "Number of the last non-fatal SXid of a link of an NVSwitch; absent before the first",
          783);
  public static final Metric NVSWITCH_LINK_REPLAY_ERRORS =
      ofLink(MetricType.COUNTER, "REPLAY_ERRORS", "Replays of a link of an NVSwitch", 784);
  public static final Metric NVSWITCH_LINK_RECOVERY_ERRORS =
      ofLink(MetricType.COUNTER, "RECOVERY_ERRORS", "Recoveries of a link of an NVSwitch", 785);
  public static final Metric NVSWITCH_LINK_CRC_ERRORS =
      ofLink(
          MetricType.COUNTER,
          "CRC_ERRORS",
          "CRC errors of a link of an NVSwitch, of all its lanes",
          787);
  public static final Metric NVSWITCH_LINK_ECC_ERRORS =
      ofLink(
          MetricType.COUNTER,
          "ECC_ERRORS",
          "ECC errors of a link of an NVSwitch, of all its lanes",
          788);
  public static final Metric NVSWITCH_LINK_THROUGHPUT_TX =
      ofLink(
          MetricType.COUNTER, "THROUGHPUT_TX", "Data sent by a link of an NVSwitch, in Mibit", 780);
  public static final Metric NVSWITCH_LINK_THROUGHPUT_RX =
      ofLink(
          MetricType.COUNTER,
          "THROUGHPUT_RX",
          "Data received by a link of an NVSwitch, in Mibit",
          781);

  private DcgmMetrics() {}

  private static Metric nvswitch(String field, String what, int id) {
    return new Metric(
        "DCGM_FI_DEV_NVSWITCH_" + field,
        MetricType.GAUGE,
        what + "; absent before the first, read by DCGM only (DCGM field " + id + ").",
        List.of("nvswitch", "Hostname"));
  }

  private static Metric ofSwitch(String field, String what, int id) {
    return new Metric(
        "DCGM_FI_DEV_NVSWITCH_" + field,
        MetricType.GAUGE,
        what + "; read by DCGM only (DCGM field " + id + ").",
        List.of("nvswitch", "Hostname"));
  }

  private static Metric ofLink(MetricType type, String field, String what, int id) {
    return new Metric(
        "DCGM_FI_DEV_NVSWITCH_LINK_" + field,
        type,
        what + "; read by DCGM only (DCGM field " + id + ").",
        List.of("nvlink", "nvswitch", "Hostname"));
  }

  private static Metric cpu(String field, String what, int id) {
    return new Metric(
        "DCGM_FI_DEV_" + field,
        MetricType.GAUGE,
        what + "; read by DCGM only (DCGM field " + id + ").",
        List.of("cpu", "Hostname"));
  }

  private static Metric dev(String field, String help) {
    return new Metric("DCGM_FI_DEV_" + field, MetricType.GAUGE, help, LABELS);
  }

  private static Metric devCounter(String field, String help) {
    return new Metric("DCGM_FI_DEV_" + field, MetricType.COUNTER, help, LABELS);
  }

  private static Metric inBytes(String field, String what) {
    return dev(field, what + " in bytes (nvmlDeviceGetMemoryInfo_v2).").unlisted();
  }

  private static Metric ecc(String field, String error, String where, String since) {
    return devCounter(
        field,
        error + " ECC errors in " + where + " " + since + " (nvmlDeviceGetMemoryErrorCounter).");
  }

  private static Metric banks(String left, String words) {
    return dev(
        "BANKS_REMAP_ROWS_AVAIL_" + left,
        "Memory banks with " + words + " left (nvmlDeviceGetRowRemapperHistogram).");
  }

  private static Metric nvlink(String field, String what, int id) {
    return devCounter(field, what + ", summed over the links (NVML field " + id + ").");
  }

  private static Metric nvlink5(String field, String what, int id) {
    return devCounter(
        field, "NVLink 5 and newer: " + what + ", summed over the links (NVML field " + id + ").");
  }

  private static Metric prof(String field, String what, int id) {
    return new Metric(
        "DCGM_FI_PROF_" + field,
        MetricType.GAUGE,
        what + ", since the previous sample (GPM metric " + id + ").",
        LABELS);
  }

  private static List<String> plus(String... labels) {
    return Stream.concat(LABELS.stream(), Arrays.stream(labels)).toList();
  }
}
