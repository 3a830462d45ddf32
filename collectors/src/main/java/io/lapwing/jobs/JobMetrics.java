package io.lapwing.jobs;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The families of whose a GPU is. */
public final class JobMetrics {

  static final String GPU = "gpu";
  static final String UUID = "UUID";

  public static final Metric JOB_INFO =
      gauge(
          "lapwing_gpu_job_info",
          "1 for each job, pod or user that has the GPU or a MIG slice of it; what is not known of it is empty (files of the job mapping directory, cgroups of the processes on the GPU, the kubelet's pod resources or its checkpoint).",
          GPU,
          UUID,
          "job_id",
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
          "1 while somebody has the GPU or a slice of it, used or not; 0 while those that give GPUs away all say nobody has (job mapping directory, pod resources or checkpoint).",
          GPU,
          UUID);
  public static final Metric SOURCES =
      gauge(
          "lapwing_jobs_sources",
          "1 where this source tells whose the GPUs are, 0 where it is there and does not: mapping, cgroup, pod_resources, checkpoint.",
          "source");

  private JobMetrics() {}
}
