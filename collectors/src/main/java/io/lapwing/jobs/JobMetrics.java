package io.lapwing.jobs;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of GPU ownership. */
public final class JobMetrics {

  static final String GPU = "gpu";
  static final String UUID = "UUID";
  static final String INSTANCE = "GPU_I_ID";

  public static final Metric JOB_INFO =
      gauge(
          "lapwing_gpu_job_info",
          "1 for each job, pod or user that owns the GPU or a MIG slice of it; unknown labels are empty (files of the job mapping directory, cgroups of the processes on the GPU, the kubelet's pod resources or its checkpoint).",
          GPU,
          UUID,
          "job_id",
          "job_name",
          "user",
          "account",
          "partition",
          "pod",
          "namespace",
          "container",
          INSTANCE);
  public static final Metric ALLOCATED =
      gauge(
          "lapwing_gpu_allocated",
          "1 while the GPU or a slice of it is allocated, used or not; 0 while all allocators report it free (job mapping directory, pod resources or checkpoint).",
          GPU,
          UUID);
  public static final Metric INSTANCE_ALLOCATED =
      gauge(
          "lapwing_gpu_instance_allocated",
          "1 while the MIG instance, or its whole GPU, is allocated, used or not; 0 while all allocators report it free (job mapping directory, pod resources or checkpoint).",
          GPU,
          UUID,
          INSTANCE);
  public static final Metric SHARED =
      gauge(
          "lapwing_gpu_shared",
          "Jobs, pods and users that hold the GPU or MIG instance at once; absent where one alone holds it and has not been given a share of it. sharing is mps where the driver lists clients of the Multi-Process Service, time_slicing where processes of several holders compute without it, else unknown.",
          GPU,
          UUID,
          INSTANCE,
          "sharing");
  public static final Metric HOLDER_MEMORY =
      holder(
          "lapwing_gpu_holder_memory_used_bytes",
          "Memory of the holder's processes on a shared GPU; of processes whose holder is unknown, and of the server of MPS, with empty labels (nvmlDeviceGetComputeRunningProcesses_v3).");
  public static final Metric HOLDER_SM =
      holder(
          "lapwing_gpu_holder_sm_utilization_ratio",
          "Share of the time in which the holder's processes had a kernel on a shared GPU, by the driver's samples of the last minute; of processes whose holder is unknown with empty labels; not with MPS or MIG, of which the driver does not tell (nvmlDeviceGetProcessUtilization).");
  public static final Metric SOURCES =
      gauge(
          "lapwing_jobs_sources",
          "1 if this source of GPU ownership can be read, 0 if it exists but cannot: mapping, cgroup, pod_resources, checkpoint.",
          "source");

  private JobMetrics() {}

  private static Metric holder(String name, String help) {
    return gauge(
        name, help, GPU, UUID, INSTANCE, "job_id", "user", "pod", "namespace", "container");
  }
}
