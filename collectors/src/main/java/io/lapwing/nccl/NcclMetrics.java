package io.lapwing.nccl;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of NCCL's RAS service. Names in parentheses are fields of its JSON. */
public final class NcclMetrics {

  static final String COMM = "comm";
  static final String RANK = "rank";
  static final String GPU = "gpu";
  static final String OPERATION = "operation";

  public static final Metric RAS_UP =
      gauge(
          "lapwing_nccl_ras_up",
          "1 while NCCL's RAS service answers; 0 while nothing listens, such as without a job, or no answer can be used.");
  public static final Metric RAS_INFO =
      gauge(
          "lapwing_nccl_ras_info",
          "NCCL's version and the format of its RAS service; the value is always 1. Before 2.28.7 the format is text, of which only the version is read (nccl_version).",
          "version",
          "format");
  public static final Metric RAS_REPLY_BYTES =
      gauge(
          "lapwing_nccl_ras_reply_bytes",
          "Bytes received from RAS in the last round; a reply covers all ranks of a job.");
  public static final Metric RAS_REPLY_SECONDS =
      gauge(
          "lapwing_nccl_ras_reply_seconds", "Duration of the slowest RAS reply in the last round.");
  public static final Metric RAS_COLLECTION_SECONDS =
      gauge(
          "lapwing_nccl_ras_collection_seconds",
          "How long RAS took to query the other processes of the job (ras.collection_time_sec).");
  public static final Metric RAS_TIMEOUTS =
      gauge(
          "lapwing_nccl_ras_timeouts",
          "Number of RAS queries to other processes that timed out in the last round (ras.timeouts_count).");
  public static final Metric RAS_BACKED_OFF =
      gauge(
          "lapwing_nccl_ras_backed_off",
          "1 while RAS is queried only every fifth round, because its replies are large or slow.");
  public static final Metric COMMUNICATORS =
      gauge(
          "lapwing_nccl_communicators", "Communicators with a rank on this node that are exposed.");
  public static final Metric COMMUNICATORS_DROPPED =
      gauge(
          "lapwing_nccl_communicators_dropped",
          "Communicators with a rank on this node that are not exposed because of the limit; the smallest are dropped.");
  public static final Metric RANKS_DROPPED =
      gauge(
          "lapwing_nccl_ranks_dropped",
          "Ranks on this node, counted per communicator, that are not exposed because of the limit.");
  public static final Metric RANKS_WITHOUT_PROCESS =
      gauge(
          "lapwing_nccl_ranks_without_process",
          "Ranks that RAS reports on this node but whose process is not visible, such as in another PID namespace; they are not exposed.");

  public static final Metric RANKS =
      gauge("lapwing_nccl_ranks", "Ranks of the communicator on all nodes (size).", COMM);
  public static final Metric MISSING_RANKS =
      gauge(
          "lapwing_nccl_missing_ranks",
          "Ranks on all nodes that did not report to RAS (missing_ranks).",
          COMM);
  public static final Metric MISSING_RANKS_HERE =
      gauge(
          "lapwing_nccl_missing_ranks_here",
          "Missing ranks on this node (missing_ranks, host).",
          COMM);
  public static final Metric UNRESPONSIVE_RANKS =
      gauge(
          "lapwing_nccl_unresponsive_ranks",
          "Missing ranks whose process RAS cannot reach (missing_ranks, unresponsive).",
          COMM);
  public static final Metric DEAD_RANKS =
      gauge(
          "lapwing_nccl_dead_ranks",
          "Missing ranks whose process RAS has given up after 60 s (missing_ranks, considered_dead).",
          COMM);
  public static final Metric RANKS_IN_ERROR =
      gauge(
          "lapwing_nccl_ranks_in_error",
          "Ranks on all nodes with an asynchronous error (async_error other than 0 and 7).",
          COMM);
  public static final Metric RANK_ASYNC_ERROR =
      gauge(
          "lapwing_nccl_rank_async_error",
          "Result of ncclGetAsyncError of a rank on this node: 0 success, 7 in progress, else an error (async_error, nvml_dev).",
          COMM,
          RANK,
          GPU);
  public static final Metric RANK_ABORTED =
      gauge(
          "lapwing_nccl_rank_aborted",
          "1 if a rank on this node aborted the communicator (abort_flag).",
          COMM,
          RANK,
          GPU);
  public static final Metric COLLECTIVES =
      counter(
          "lapwing_nccl_collectives_total",
          "Collective operations started by a rank on this node; unused kinds are left out (collective_counts).",
          COMM,
          RANK,
          OPERATION);
  public static final Metric COLLECTIVES_BEHIND =
      gauge(
          "lapwing_nccl_collectives_behind",
          "Operations that a rank on this node is behind the rank that started the most (collective_counts).",
          COMM,
          RANK);
  public static final Metric COLLECTIVES_STILL =
      gauge(
          "lapwing_nccl_collectives_still_seconds",
          "Time since a rank on this node last started an operation, measured at the last round, at most since it was first seen (collective_counts).",
          COMM,
          RANK);

  private NcclMetrics() {}
}
