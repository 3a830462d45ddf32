package io.lapwing.gpu;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.stream.Stream;

/** The families of vGPUs: on their host, and in a virtual machine that has one. */
public final class VgpuMetrics {

  static final String VGPU = "vgpu_uuid";

  public static final Metric VIRTUALIZATION =
      gauge(
          "lapwing_gpu_virtualization_info",
          "HOST_VGPU on a host that divides the GPU into vGPUs, or HOST_VSGA, and VGPU in a virtual"
              + " machine that has one; absent for a whole GPU; value is always 1"
              + " (nvmlDeviceGetVirtualizationMode).",
          "gpu",
          "UUID",
          "mode");
  public static final Metric COUNT =
      gauge(
          "lapwing_gpu_vgpus",
          "vGPUs that are active on the GPU of this host (nvmlDeviceGetActiveVgpus).",
          "gpu",
          "UUID");
  public static final Metric INFO =
      gauge(
          "lapwing_gpu_vgpu_info",
          "Active vGPU, its type and virtual machine; value is always 1 (nvmlVgpuInstanceGetUUID,"
              + " nvmlVgpuTypeGetName, nvmlVgpuInstanceGetVmID).",
          labels("vgpu_type", "vm_id"));
  public static final Metric MEMORY =
      gauge(
          "lapwing_gpu_vgpu_memory_bytes",
          "Frame buffer of the vGPU (nvmlVgpuTypeGetFramebufferSize).",
          labels());
  public static final Metric MEMORY_USED =
      gauge(
          "lapwing_gpu_vgpu_memory_used_bytes",
          "Frame buffer that the virtual machine uses (nvmlVgpuInstanceGetFbUsage).",
          labels());
  public static final Metric LICENSE =
      gauge(
          "lapwing_gpu_vgpu_license_state",
          "1 for the state of the vGPU's licence: LICENSED, UNLICENSED, UNLICENSED_RESTRICTED,"
              + " UNLICENSED_UNRESTRICTED, UNINITIALIZED or UNKNOWN; absent while the virtual"
              + " machine has no driver loaded (nvmlVgpuInstanceGetLicenseInfo_v2).",
          labels("state"));
  public static final Metric UTILIZATION =
      gauge(
          "lapwing_gpu_vgpu_utilization_ratio",
          "Utilization of the GPU by the vGPU in the last sample since the minute before: sm,"
              + " memory, encoder or decoder (nvmlDeviceGetVgpuUtilization).",
          labels("engine"));

  private VgpuMetrics() {}

  private static String[] labels(String... more) {
    return Stream.concat(Stream.of("gpu", "UUID", VGPU), Stream.of(more)).toArray(String[]::new);
  }
}
