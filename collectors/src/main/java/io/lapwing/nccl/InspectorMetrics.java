package io.lapwing.nccl;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of NCCL Inspector's files. Names in parentheses are those in the files. */
public final class InspectorMetrics {

  private static final String GPU = "gpu";
  private static final String UUID = "UUID";
  private static final String COMM_NAME = "comm_name";
  private static final String RANKS = "ranks";
  private static final String NODES = "nodes";
  private static final String OPERATION = "operation";
  private static final String MESSAGE_SIZE = "message_size";
  private static final String ALGORITHM = "algorithm";
  static final String REASON = "reason";

  public static final Metric BUS_BANDWIDTH =
      collective(
          "lapwing_nccl_bus_bandwidth_bytes_per_second",
          "Bus bandwidth of collectives, geometric mean of Inspector's last window (nccl_bus_bandwidth_gbs).");
  public static final Metric COLLECTIVE_DURATION =
      collective(
          "lapwing_nccl_collective_duration_seconds",
          "Mean duration of collectives in Inspector's last window (nccl_collective_exec_time_microseconds).");
  public static final Metric P2P_BUS_BANDWIDTH =
      pointToPoint(
          "lapwing_nccl_p2p_bus_bandwidth_bytes_per_second",
          "Bus bandwidth of sends and receives, geometric mean of Inspector's last window (nccl_p2p_bus_bandwidth_gbs).");
  public static final Metric P2P_DURATION =
      pointToPoint(
          "lapwing_nccl_p2p_duration_seconds",
          "Mean duration of sends and receives in Inspector's last window (nccl_p2p_exec_time_microseconds).");
  public static final Metric FILES =
      gauge(
          "lapwing_nccl_inspector_files",
          "Inspector files that are exposed: complete and written within the last 5 minutes.");
  public static final Metric REJECTED =
      counter(
          "lapwing_nccl_inspector_rejected_files_total",
          "Reads of Inspector files that failed, by reason; an incomplete file keeps its previous values.",
          REASON);
  public static final Metric SERIES_DROPPED =
      gauge(
          "lapwing_nccl_inspector_series_dropped",
          "Series in Inspector's files that are not exposed because of the limit.");

  private InspectorMetrics() {}

  private static Metric collective(String name, String help) {
    return gauge(
        name, help, GPU, UUID, COMM_NAME, RANKS, NODES, OPERATION, MESSAGE_SIZE, ALGORITHM);
  }

  private static Metric pointToPoint(String name, String help) {
    return gauge(name, help, GPU, UUID, COMM_NAME, RANKS, NODES, OPERATION, MESSAGE_SIZE);
  }
}
