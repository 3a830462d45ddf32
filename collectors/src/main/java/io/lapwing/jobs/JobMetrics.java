package io.lapwing.jobs;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of GPU ownership. */
public final class JobMetrics {

  static final String GPU = "gpu";
  static final String UUID = "UUID";

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
          "GPU_I_ID");
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
          "GPU_I_ID");
  public static final Metric SOURCES =
      gauge(
          "lapwing_jobs_sources",
          "1 if this source of GPU ownership can be read, 0 if it exists but cannot: mapping, cgroup, pod_resources, checkpoint.",
          "source");

  private JobMetrics() {}
}
