package io.lapwing.dashboards;

import java.util.List;
import java.util.function.UnaryOperator;

/** EFA, Lustre, and the jobs on the node. */
final class NodeNetworkRows {

  private static final String NOT_SHARED = "No GPU is shared";

  private NodeNetworkRows() {}

  private static Query byDevice(String family) {
    return Query.lines(
        "sum by (instance, device) (rate(node_amazonefa_" + family + "{node}[$__rate_interval]))",
        "{{instance}} {{device}}");
  }

  static Row efa() {
    return Row.folded(
        "EFA",
        Panel.stat(
                "Devices, present and expected",
                "EFA devices present, and the maximum of this instance type.",
                Unit.COUNT,
                Query.latest("max(lapwing_efa_devices{node})", "present"),
                Query.latest("max(lapwing_node_expected_efa_devices{node})", "expected"))
            .size(4, 8),
        Panel.lines(
                "Sent by device",
                "Bytes per second sent by each EFA device. A device below the others is a rail"
                    + " that slows the job.",
                Unit.BYTES_PER_SECOND,
                byDevice("tx_bytes"))
            .size(10, 8)
            .from(0),
        Panel.lines(
                "Received by device",
                "Bytes per second received by each EFA device.",
                Unit.BYTES_PER_SECOND,
                byDevice("rx_bytes"))
            .size(10, 8)
            .from(0),
        Panel.lines(
                "Retransmit ratio",
                "Share of packets that SRD retransmitted, by device.",
                Unit.RATIO,
                Query.lines(
                    """
                    sum by (instance, device) (rate(node_amazonefa_retrans_pkts{node}[$__rate_interval]))
                      / (sum by (instance, device) (rate(node_amazonefa_tx_pkts{node}[$__rate_interval])) > 0)
                    """,
                    "{{instance}} {{device}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Timeouts and unresponsive peers",
                "Path timeouts, impaired connections and unresponsive peers per second, over all"
                    + " devices.",
                Unit.PER_SECOND,
                events("retrans_timeout_events", "timeouts"),
                events("impaired_remote_conn_events", "impaired"),
                events("unresponsive_remote_events", "unresponsive"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Errors and drops",
                "Failed RDMA reads and writes, and dropped received packets, over all devices.",
                Unit.PER_SECOND,
                events("rdma_read_wr_err", "read errors"),
                events("rdma_write_wr_err", "write errors"),
                events("rx_drops", "drops"))
            .size(8, 8)
            .from(0));
  }

  private static Query events(String family, String words) {
    return Query.lines(
        "sum by (instance) (rate(node_amazonefa_" + family + "{node}[$__rate_interval]))",
        "{{instance}} " + words);
  }

  static Row lustre() {
    return Row.folded(
        "Lustre",
        Panel.lines(
                "Read and write throughput",
                "Bytes per second read and written by applications, by file system.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    "sum by (instance, fs) (rate(lapwing_lustre_read_bytes_total{node}[$__rate_interval]))",
                    "{{instance}} {{fs}} read"),
                Query.lines(
                    "sum by (instance, fs) (rate(lapwing_lustre_write_bytes_total{node}[$__rate_interval]))",
                    "{{instance}} {{fs}} written"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Request latency by target",
                "Mean wait of a request, by target. A slow target slows every access to it.",
                Unit.SECONDS,
                Query.lines(
                    """
                    sum by (instance, fs, target) (rate(lapwing_lustre_rpc_wait_seconds_total{node}[$__rate_interval]))
                      / (sum by (instance, fs, target) (rate(lapwing_lustre_rpcs_total{node}[$__rate_interval])) > 0)
                    """,
                    "{{instance}} {{fs}} {{target}}"))
            .size(8, 8)
            .from(0),
        Panel.table(
                "Targets",
                "Each target: connection state, evictions, reconnects, and requests that timed"
                    + " out.",
                List.of(
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #A", "Disconnected").scale(Scales.YES_IS_BAD),
                    Column.of("Value #B", "Evictions", Unit.COUNT).scale(Scale.rising(1)),
                    Column.of("Value #C", "Reconnects", Unit.COUNT),
                    Column.of("Value #D", "Timeouts", Unit.COUNT),
                    Column.of("Value #E", "In flight", Unit.COUNT)),
                Query.rows("1 - min by (fs, target) (lapwing_lustre_import_connected{node})"),
                target("lapwing_lustre_evictions_total"),
                target("lapwing_lustre_reconnects_total"),
                target("lapwing_lustre_rpc_timeouts_total"),
                target("lapwing_lustre_rpcs_in_flight"))
            .size(8, 8)
            .whenEmpty("No Lustre file system is mounted"));
  }

  private static Query target(String family) {
    return Query.rows("max by (fs, target) (" + family + "{node})");
  }

  static Row work() {
    return Row.folded(
        "Jobs on this node",
        Panel.table(
                "GPU allocation",
                "Job, pod or user of each GPU or MIG instance.",
                List.of(
                    Column.of("gpu", "GPU").width(50),
                    Column.of("GPU_I_ID", "Instance").width(80),
                    Column.job(),
                    Column.of("job_name", "Name"),
                    Column.of("user", "User"),
                    Column.of("partition", "Partition"),
                    Column.of("namespace", "Namespace"),
                    Column.of("pod", "Pod")),
                Query.rows(
                    "max by (gpu, GPU_I_ID, job_id, job_name, user, partition, namespace, pod) (lapwing_gpu_job_info{gpu})"))
            .size(8, 8)
            .whenEmpty("No GPU is allocated, or no source reports the allocation"),
        Panel.lines(
                "Step time by rank",
                "Mean step time of each rank on this node.",
                Unit.SECONDS,
                steps(Ranks::verified, ""),
                steps(Ranks::unverified, Ranks.MARK))
            .size(8, 8)
            .from(0)
            .link(Link.JOB_OF_LINE),
        Panel.lines(
                "Resource pressure",
                "Share of time in which some task waited for CPU, memory or I/O.",
                Unit.RATIO,
                Query.lines(
                    """
                    max by (instance, resource) (
                      rate(lapwing_host_pressure_seconds_total{node, tasks="some"}[$__rate_interval]))
                    """,
                    "{{instance}} {{resource}}"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "Memory on shared GPUs",
                "Memory of each job, pod or user where several hold a GPU or MIG instance; a line"
                    + " without a name is of processes whose holder is unknown.",
                Unit.BYTES,
                byHolder("lapwing_gpu_holder_memory_used_bytes"))
            .size(12, 8)
            .from(0)
            .whenEmpty(NOT_SHARED),
        Panel.lines(
                "Utilization of shared GPUs",
                "Share of time in which a job, pod or user had a kernel on a GPU with time-slicing."
                    + " The driver does not report it with MPS or MIG.",
                Unit.RATIO,
                byHolder("lapwing_gpu_holder_sm_utilization_ratio"))
            .size(12, 8)
            .between(0, 1)
            .whenEmpty(NOT_SHARED));
  }

  private static Query byHolder(String family) {
    return Query.lines(
        """
        max by (instance, gpu, GPU_I_ID, job_id, user, namespace, pod, container) (%s{gpu})
        """
            .formatted(family),
        "{{instance}} GPU {{gpu}} {{GPU_I_ID}} {{job_id}} {{user}} {{namespace}} {{pod}}"
            + " {{container}}");
  }

  private static Query steps(UnaryOperator<String> which, String mark) {
    return Query.lines(
        "sum by (instance, job_id, rank) %s / (sum by (instance, job_id, rank) %s > 0)"
            .formatted(
                which.apply("rate(lapwing_training_step_seconds_total{node}[$__rate_interval])"),
                which.apply("rate(lapwing_training_steps_total{node}[$__rate_interval])")),
        "{{instance}} job {{job_id}} rank {{rank}}" + mark);
  }
}
