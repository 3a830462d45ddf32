package io.lapwing.jobs;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric family of the network that jobs use. */
public final class JobNetworkMetrics {

  public static final Metric INFO =
      gauge(
          "lapwing_job_network_info",
          "1 for each process on a GPU, while the node's EFA is idle and its ENA is busy in both directions: the network that NCCL uses between nodes (tcp, efa; none: NCCL is not loaded; unknown), and which library EFA lacks (maps, environ and cgroup of the process in procfs, the file of NCCL_DEBUG_FILE).",
          JobMetrics.GPU,
          JobMetrics.UUID,
          "pid",
          "job_id",
          "user",
          "namespace",
          "pod",
          "nodes",
          "network",
          "missing",
          "provider",
          "settings");

  private JobNetworkMetrics() {}
}
