package io.lapwing.gpu;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.stream.Stream;

/** Lapwing's own GPU families: values without a DCGM field, or with one that loses samples. */
public final class GpuMetrics {

  public static final Metric UP =
      gpuGauge(
          "lapwing_gpu_up",
          "1 if the GPU responds; 0 if it is hung, lost or removed (nvmlDeviceGetFieldValues).");
  public static final Metric INFO =
      gpuGauge(
          "lapwing_gpu_info",
          "GPU identity; value is always 1 (nvmlDeviceGetName, ...GetSerial, ...GetPciInfo_v3,"
              + " ...GetVbiosVersion).",
          "name",
          "serial",
          "pci_bus_id",
          "minor_number",
          "vbios_version",
          "inforom_image_version");
  public static final Metric DRIVER_UP =
      gauge("lapwing_gpu_driver_up", "1 if NVML is initialised and responds (nvmlInit_v2).");
  public static final Metric DRIVER_INFO =
      gauge(
          "lapwing_gpu_driver_info",
          "Driver versions; value is always 1 (nvmlSystemGetDriverVersion, ...GetNVMLVersion,"
              + " ...GetCudaDriverVersion_v2).",
          "driver_version",
          "nvml_version",
          "cuda_version");
  public static final Metric DRIVER_RELOADS =
      counter(
          "lapwing_gpu_driver_reloads_total",
          "Driver reloads and replacements since the agent started (nvmlSystemGetDriverVersion).");
  public static final Metric COUNT =
      gauge("lapwing_gpus", "GPUs reported by the driver (nvmlDeviceGetCount_v2).");

  public static final Metric CLOCK_EVENT_ACTIVE =
      gpuGauge(
          "lapwing_gpu_clock_event_active",
          "1 while this reason limits the clocks (nvmlDeviceGetCurrentClocksEventReasons).",
          "reason");
  public static final Metric TEMPERATURE_LIMIT_MARGIN =
      gpuGauge(
          "lapwing_gpu_temperature_limit_margin_celsius",
          "Value of DCGM_FI_DEV_GPU_TEMP_LIMIT at which a limit is reached (NVML fields 193 to"
              + " 196).",
          "limit");
  public static final Metric ECC_ERRORS =
      gpuCounter(
          "lapwing_gpu_ecc_errors_total",
          "ECC errors by location; volatile counters start at the driver load"
              + " (nvmlDeviceGetMemoryErrorCounter).",
          "error",
          "counter",
          "location");
  public static final Metric SRAM_ECC_ERRORS =
      gpuCounter(
          "lapwing_gpu_sram_ecc_errors_total",
          "SRAM ECC errors by detection method (nvmlDeviceGetSramEccErrorStatus).",
          "error",
          "counter");
  public static final Metric PCIE_ERRORS =
      gpuCounter(
          "lapwing_gpu_pcie_errors_total",
          "PCIe errors by kind (NVML fields 95 and 173 to 183).",
          "kind");
  public static final Metric PCIE_TX_BYTES =
      gpuCounter(
          "lapwing_gpu_pcie_tx_bytes_total",
          "Bytes sent over PCIe with headers: the rate integrated over time (GPM, or DCGM).");
  public static final Metric PCIE_RX_BYTES =
      gpuCounter(
          "lapwing_gpu_pcie_rx_bytes_total",
          "Bytes received over PCIe with headers: the rate integrated over time (GPM, or DCGM).");
  public static final Metric NVLINK_TX_BYTES =
      gpuCounter(
          "lapwing_gpu_nvlink_tx_bytes_total",
          "Payload bytes sent over all NVLinks (NVML field 138, or 202).");
  public static final Metric NVLINK_RX_BYTES =
      gpuCounter(
          "lapwing_gpu_nvlink_rx_bytes_total",
          "Payload bytes received over all NVLinks (NVML field 139, or 204).");
  public static final Metric NVLINKS =
      gpuGauge("lapwing_gpu_nvlinks", "NVLinks of the GPU (NVML field 91).");
  public static final Metric NVLINKS_UP =
      gpuGauge("lapwing_gpu_nvlinks_up", "Active NVLinks (NVML field 165).");
  public static final Metric NVSWITCH_LINKS =
      gpuGauge("lapwing_gpu_nvswitch_links", "NVLinks connected to an NVSwitch (NVML field 147).");
  public static final Metric NVLINK_UP =
      gpuGauge("lapwing_gpu_nvlink_up", "1 if this NVLink is active (NVML field 165).", "link");
  public static final Metric NVLINK_DOWN =
      gpuGauge(
          "lapwing_gpu_nvlink_down",
          "1 for each NVLink that is not active; active ones have none, and a GPU without any active one (NVML field 165).",
          "link");
  public static final Metric NVLINK_SPEED =
      gpuGauge(
          "lapwing_gpu_nvlink_speed_bytes_per_second",
          "Speed of one active NVLink in one direction (NVML field 90).");
  public static final Metric NVLINK_ERRORS =
      gpuCounter(
          "lapwing_gpu_nvlink_errors_total",
          "Errors of one NVLink; only links with errors are exposed (NVML fields 161 to 163, or 206"
              + " to 221).",
          "link",
          "kind");
  public static final Metric C2C_LINKS_UP =
      gpuGauge("lapwing_gpu_c2c_links_up", "Active C2C links to a Grace CPU (NVML field 171).");
  public static final Metric C2C_ERRORS =
      gpuCounter(
          "lapwing_gpu_c2c_errors_total",
          "Errors of one C2C link; only links with errors are exposed (NVML fields 231 to 233).",
          "link",
          "kind");
  public static final Metric FABRIC_INFO =
      gpuGauge(
          "lapwing_gpu_fabric_info",
          "NVLink domain of the GPU, and its place in the rack where the platform reports it; value is always 1 (nvmlDeviceGetGpuFabricInfoV, nvmlDeviceGetPlatformInfo).",
          "cluster_uuid",
          "clique_id",
          "chassis_serial_number",
          "slot_number",
          "tray_index");
  public static final Metric PROCESSES =
      gpuGauge(
          "lapwing_gpu_compute_processes",
          "Processes with a compute context (nvmlDeviceGetComputeRunningProcesses_v3).");
  public static final Metric GPM_SUPPORTED =
      gpuGauge(
          "lapwing_gpu_gpm_supported",
          "1 if GPU and driver support GPU performance monitoring; where 0, DCGM_FI_PROF_* need DCGM, see"
              + " --dcgm.engine (nvmlGpmQueryDeviceSupport).");

  public static final Metric SM_ACTIVE_SECONDS =
      integral("lapwing_gpu_sm_active_seconds_total", "DCGM_FI_PROF_SM_ACTIVE", 2);
  public static final Metric SM_OCCUPANCY_SECONDS =
      integral("lapwing_gpu_sm_occupancy_seconds_total", "DCGM_FI_PROF_SM_OCCUPANCY", 3);
  public static final Metric TENSOR_ACTIVE_SECONDS =
      integral("lapwing_gpu_tensor_active_seconds_total", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 5);
  public static final Metric DRAM_ACTIVE_SECONDS =
      integral("lapwing_gpu_dram_active_seconds_total", "DCGM_FI_PROF_DRAM_ACTIVE", 10);

  public static final Metric XID_LISTENING =
      gauge(
          "lapwing_gpu_xid_listening",
          "1 if the agent receives XID events; 0 if the wait fails, hangs or is not supported"
              + " (nvmlEventSetWait_v2).");
  public static final Metric XID_ERRORS =
      gpuCounter(
          "lapwing_gpu_xid_errors_total",
          "XIDs since boot, by number; 48, 63, 64, 74, 79, 94, 95, 119 and 120 start at 0, in the"
              + " preset full all that require action (kernel log and nvmlEventSetWait_v2).",
          "xid");
  public static final Metric INSTANCE_XID_ERRORS =
      gpuCounter(
          "lapwing_gpu_instance_xid_errors_total",
          "XIDs of one MIG instance since boot, from the first of each on; lapwing_gpu_xid_errors_total"
              + " of the GPU has them too (kernel log and nvmlEventSetWait_v2).",
          MigMetrics.ID,
          "xid");
  public static final Metric XID_LAST_SEEN =
      gpuGauge(
          "lapwing_gpu_xid_last_seen_timestamp_seconds",
          "Time of the last occurrence of this XID (kernel log and nvmlEventSetWait_v2).",
          "xid");

  private GpuMetrics() {}

  private static Metric integral(String name, String ratio, int gpmMetric) {
    return gpuCounter(
        name,
        ratio
            + " integrated over time: with GPM, rate() is exact over any window (GPM metric "
            + gpmMetric
            + ", or DCGM).");
  }

  private static Metric gpuGauge(String name, String help, String... more) {
    return gauge(name, help, labels(more));
  }

  private static Metric gpuCounter(String name, String help, String... more) {
    return counter(name, help, labels(more));
  }

  private static String[] labels(String... more) {
    return Stream.concat(Stream.of("gpu", "UUID"), Stream.of(more)).toArray(String[]::new);
  }
}
