package io.lapwing.nccl;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The families of NCCL's RAS service. The words in brackets are the fields of its JSON. */
public final class NcclMetrics {

  static final String COMM = "comm";
  static final String RANK = "rank";
  static final String GPU = "gpu";
  static final String OPERATION = "operation";

  public static final Metric RAS_UP =
      gauge(
          "lapwing_nccl_ras_up",
          "1 while NCCL's RAS service answers; 0 while nobody listens, as where no job runs, or no answer can be used.");
  public static final Metric RAS_INFO =
      gauge(
          "lapwing_nccl_ras_info",
          "1, with the version of NCCL and whether its RAS speaks JSON, as from 2.28.7 on, or only text, of which nothing else is read (nccl_version).",
          "version",
          "format");
  public static final Metric RAS_REPLY_BYTES =
      gauge(
          "lapwing_nccl_ras_reply_bytes",
          "What RAS sent when it was last asked; a reply is about all ranks of a job.");
  public static final Metric RAS_REPLY_SECONDS =
      gauge(
          "lapwing_nccl_ras_reply_seconds",
          "How long the longest answer of RAS took when it was last asked.");
  public static final Metric RAS_COLLECTION_SECONDS =
      gauge(
          "lapwing_nccl_ras_collection_seconds",
          "How long RAS asked the other processes of the job (ras.collection_time_sec).");
  public static final Metric RAS_TIMEOUTS =
      gauge(
          "lapwing_nccl_ras_timeouts",
          "How often RAS waited for other processes in vain when it was last asked (ras.timeouts_count).");
  public static final Metric RAS_BACKED_OFF =
      gauge(
          "lapwing_nccl_ras_backed_off",
          "1 while RAS is asked only every fifth time, since its replies are large or slow.");
  public static final Metric COMMUNICATORS =
      gauge("lapwing_nccl_communicators", "Communicators with a rank on this node that are shown.");
  public static final Metric COMMUNICATORS_DROPPED =
      gauge(
          "lapwing_nccl_communicators_dropped",
          "Communicators with a rank on this node that are too many to be shown; the smallest.");
  public static final Metric RANKS_DROPPED =
      gauge(
          "lapwing_nccl_ranks_dropped",
          "Ranks on this node, counted on each communicator, that are too many to be shown.");
  public static final Metric RANKS_WITHOUT_PROCESS =
      gauge(
          "lapwing_nccl_ranks_without_process",
          "Ranks that RAS places on this node and whose process is not found here, as in a PID namespace of its own; they are not shown.");

  public static final Metric RANKS =
      gauge("lapwing_nccl_ranks", "Ranks of the communicator on all nodes (size).", COMM);
  public static final Metric MISSING_RANKS =
      gauge(
          "lapwing_nccl_missing_ranks",
          "Ranks on all nodes that told RAS nothing (missing_ranks).",
          COMM);
  public static final Metric MISSING_RANKS_HERE =
      gauge(
          "lapwing_nccl_missing_ranks_here",
          "Those of the missing ranks that are on this node (missing_ranks, host).",
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
          "What ncclGetAsyncError tells of a rank on this node: 0 nothing, 7 in progress, else an error (async_error, nvml_dev).",
          COMM,
          RANK,
          GPU);
  public static final Metric RANK_ABORTED =
      gauge(
          "lapwing_nccl_rank_aborted",
          "1 where a rank on this node aborted the communicator (abort_flag).",
          COMM,
          RANK,
          GPU);
  public static final Metric COLLECTIVES =
      counter(
          "lapwing_nccl_collectives_total",
          "Collective operations that a rank on this node began; those it never used are left out (collective_counts).",
          COMM,
          RANK,
          OPERATION);
  public static final Metric COLLECTIVES_BEHIND =
      gauge(
          "lapwing_nccl_collectives_behind",
          "How many operations a rank on this node is behind the rank that began most (collective_counts).",
          COMM,
          RANK);
  public static final Metric COLLECTIVES_STILL =
      gauge(
          "lapwing_nccl_collectives_still_seconds",
          "For how long a rank on this node had begun no operation when RAS was last asked, as far as it was watched (collective_counts).",
          COMM,
          RANK);

  private NcclMetrics() {}
}
