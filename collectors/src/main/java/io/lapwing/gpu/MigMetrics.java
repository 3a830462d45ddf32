package io.lapwing.gpu;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.stream.Stream;

/**
 * The families of MIG instances. They have names of their own, so that a sum over GPUs counts
 * nothing twice.
 */
public final class MigMetrics {

  /** Labels of a series of an instance, whichever family it is of. */
  public static final String PROFILE = "GPU_I_PROFILE";

  public static final String ID = "GPU_I_ID";

  public static final Metric INFO =
      gauge(
          "lapwing_gpu_instance_info",
          "MIG device; value is always 1; placement is start:size in memory slices, empty without"
              + " permission to read it (nvmlDeviceGetName, ...GetUUID, ...GetAttributes_v2,"
              + " nvmlGpuInstanceGetInfo).",
          labels("GPU_CI_ID", "mig_uuid", "placement", "gpu_slices", "compute_slices"));
  public static final Metric SLICES =
      gauge(
          "lapwing_gpu_instance_slices_ratio",
          "Slices of the MIG instance as a ratio of those of its GPU: its weight in a sum over"
              + " instances (nvmlDeviceGetAttributes_v2, nvmlDeviceGetMaxMigDeviceCount).",
          labels());
  public static final Metric MULTIPROCESSORS =
      gauge(
          "lapwing_gpu_instance_multiprocessors",
          "SMs of the compute instances on the MIG instance (nvmlDeviceGetAttributes_v2).",
          labels());
  public static final Metric MEMORY =
      gauge(
          "lapwing_gpu_instance_memory_bytes",
          "Memory of the MIG instance (nvmlDeviceGetMemoryInfo_v2).",
          labels());
  public static final Metric MEMORY_USED =
      gauge(
          "lapwing_gpu_instance_memory_used_bytes",
          "Allocated memory of the MIG instance (nvmlDeviceGetMemoryInfo_v2; with version 1 also"
              + " what the driver reserves).",
          labels());

  public static final Metric SM_ACTIVE_SECONDS =
      integral("lapwing_gpu_instance_sm_active_seconds_total", "DCGM_FI_PROF_SM_ACTIVE", 2);
  public static final Metric SM_OCCUPANCY_SECONDS =
      integral("lapwing_gpu_instance_sm_occupancy_seconds_total", "DCGM_FI_PROF_SM_OCCUPANCY", 3);
  public static final Metric TENSOR_ACTIVE_SECONDS =
      integral(
          "lapwing_gpu_instance_tensor_active_seconds_total", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 5);
  public static final Metric DRAM_ACTIVE_SECONDS =
      integral("lapwing_gpu_instance_dram_active_seconds_total", "DCGM_FI_PROF_DRAM_ACTIVE", 10);

  private MigMetrics() {}

  private static Metric integral(String name, String ratio, int gpmMetric) {
    return counter(
        name,
        ratio
            + " of a MIG instance integrated over time, relative to the instance"
            + " (nvmlGpmMigSampleGet, GPM metric "
            + gpmMetric
            + ").",
        labels());
  }

  private static String[] labels(String... more) {
    return Stream.concat(Stream.of("gpu", "UUID", PROFILE, ID), Stream.of(more))
        .toArray(String[]::new);
  }
}
