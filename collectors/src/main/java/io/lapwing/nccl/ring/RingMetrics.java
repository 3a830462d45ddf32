package io.lapwing.nccl.ring;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;

/**
 * The metric families of Lapwing's profiler plugin for NCCL. Names in parentheses are fields of
 * docs/nccl-format.md.
 */
public final class RingMetrics {

  static final String COMM = "comm";
  static final String RANK = "rank";
  static final String GPU = "gpu";
  static final String OPERATION = "operation";
  static final String STATE = "state";
  static final String REASON = "reason";
  static final List<String> INFO_LABELS =
      List.of("comm_name", "ranks", "nodes", "interface", "verified");

  public static final Metric PROCESSES =
      gauge(
          "lapwing_nccl_profiler_processes",
          "Processes on this node whose collectives are read from the ring files of Lapwing's NCCL plugin.");
  public static final Metric REJECTED =
      counter(
          "lapwing_nccl_profiler_files_rejected_total",
          "Ring files that are not read, by reason; each is counted once. Duplicate: a file that is read, with a rank that another process has already.",
          REASON);
  public static final Metric OMITTED =
      gauge(
          "lapwing_nccl_profiler_communicators_omitted",
          "Communicators of these processes that are not exposed because of the limits (refused).");
  public static final Metric LOST =
      counter(
          "lapwing_nccl_profiler_lost_collectives_total",
          "Collectives of these processes that the plugin counted but could not time (lost).");
  public static final Metric INFO =
      gauge(
          "lapwing_nccl_profiler_communicator_info",
          "A rank on this node of a communicator; the value is always 1. The interface is the version of NCCL's plugin interface; verified is 1 if the process is visible, belongs to the file's owner, and computes on a GPU or is in the cgroup of a Slurm job (name, ranks, nodes, api; file locks, procfs, NVML).",
          with(INFO_LABELS));
  public static final Metric COLLECTIVES =
      counter(
          "lapwing_nccl_profiler_collectives_total",
          "Operations that the rank has enqueued; SendRecv counts sends and receives (entered).",
          with(List.of(OPERATION)));
  public static final Metric BYTES =
      counter(
          "lapwing_nccl_profiler_bytes_total",
          "Bytes of these operations: count times size of the type, as in the call (bytes).",
          with(List.of(OPERATION)));
  public static final Metric TIMED =
      counter(
          "lapwing_nccl_profiler_timed_collectives_total",
          "Collectives of the rank whose kernel was timed (timed).",
          with(List.of()));
  public static final Metric SECONDS =
      counter(
          "lapwing_nccl_profiler_collective_seconds_total",
          "Time that the kernels of these collectives ran on the rank's GPU, waiting for other ranks included: of a communicator, the rank with the least came last (timed_ns).",
          with(List.of()));
  public static final Metric COMPARED =
      counter(
          "lapwing_nccl_profiler_compared_collectives_total",
          "Collectives of the rank that were compared with the other ranks on this node: all below about 200 a second, otherwise a sample (duration_ns).",
          with(List.of()));
  public static final Metric WAIT =
      counter(
          "lapwing_nccl_profiler_wait_seconds_total",
          "Time that the rank waited in compared collectives for the rank on this node that came last (duration_ns).",
          with(List.of()));
  public static final Metric LATE =
      counter(
          "lapwing_nccl_profiler_late_seconds_total",
          "Time by which the rank entered compared collectives after the rank on this node that came first (duration_ns).",
          with(List.of()));
  public static final Metric IN_FLIGHT =
      gauge(
          "lapwing_nccl_profiler_in_flight_seconds",
          "Age of the collective whose kernel runs on the rank's GPU; 0 if none does (started_ns).",
          with(List.of()));
  public static final Metric BEHIND =
      gauge(
          "lapwing_nccl_profiler_behind_seconds",
          "How long another rank on this node has been in a collective that this rank takes no part in, otherwise 0 (started_sequence, started_ns).",
          with(List.of()));
  public static final Metric BEHIND_SEQUENCE =
      gauge(
          "lapwing_nccl_profiler_behind_sequence",
          "NCCL's number of that collective, after five seconds. State: not_entered, the rank has not enqueued it; not_started, its GPU has not started it; gone, its process has ended (entered_sequence, started_sequence).",
          with(List.of(OPERATION, STATE)));

  /**
   * For rules: the process of a verified rank. The job by its cgroup or, unless it reads like the
   * id of one, by its own name; the GPU by the driver; empty where unknown.
   */
  public static final Metric RANK_PROCESS =
      gauge(
              "lapwing_nccl_profiler_rank_process",
              "The process of a rank of a communicator (file locks, procfs, NVML).",
              with(List.of("pid", "owner", "job_id", "job_rank", "used_gpu")))
          .unlisted();

  /** For rules: the state of the process of a rank that is behind, unless it is usual. */
  public static final Metric PROCESS_STATE =
      gauge(
              "lapwing_nccl_profiler_process_state",
              "1 for the state of the process of a rank that is behind (procfs).",
              with(List.of(STATE)))
          .unlisted();

  /** For rules: when the end of the process of a rank was noticed, while others wait for it. */
  public static final Metric RANK_GONE =
      gauge(
              "lapwing_nccl_profiler_rank_gone_timestamp_seconds",
              "When the process of a rank was found gone, while others are in the communicator (file locks).",
              with(List.of()))
          .unlisted();

  private RingMetrics() {}

  private static String[] with(List<String> labels) {
    List<String> all = new ArrayList<>(List.of(COMM, RANK, GPU));
    all.addAll(labels);
    return all.toArray(String[]::new);
  }
}
