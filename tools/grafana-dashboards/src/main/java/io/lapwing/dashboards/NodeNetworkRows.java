package io.lapwing.dashboards;

import java.util.List;

/** EFA, Lustre, and what runs on the node. */
final class NodeNetworkRows {

  private NodeNetworkRows() {}

  private static Query byDevice(String family) {
    return Query.lines(
        "sum by (instance, device) (rate(node_amazonefa_" + family + "{node}[$__rate_interval]))",
        "{{instance}} {{device}}");
  }

  static Row efa() {
    return Row.of(
        "EFA",
        Panel.stat(
                "Devices, and expected",
                "EFA devices that there are, and the most that this instance type has.",
                Unit.COUNT,
                Query.latest("max(lapwing_efa_devices{node})", "there"),
                Query.latest("max(lapwing_node_expected_efa_devices{node})", "expected"))
            .size(4, 8),
        Panel.lines(
                "Sent, by device",
                "Bytes a second that each EFA device sent. A device that falls behind its siblings is a rail that"
                    + " slows the job down.",
                Unit.BYTES_PER_SECOND,
                byDevice("tx_bytes"))
            .size(10, 8)
            .from(0),
        Panel.lines(
                "Received, by device",
                "Bytes a second that each EFA device received.",
                Unit.BYTES_PER_SECOND,
                byDevice("rx_bytes"))
            .size(10, 8)
            .from(0),
        Panel.lines(
                "Sent again, of all packets",
                "Share of the packets that SRD had to send again, for each device.",
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
                "Timeouts, and peers that do not answer",
                "Times a second that SRD left a path after a timeout, that a connection became impaired, or that a"
                    + " peer did not answer; over all devices.",
                Unit.PER_SECOND,
                events("retrans_timeout_events", "timeouts"),
                events("impaired_remote_conn_events", "impaired"),
                events("unresponsive_remote_events", "unresponsive"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Errors and drops",
                "RDMA reads and writes that ended with an error, and packets that were received and dropped; over all"
                    + " devices.",
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
    return Row.of(
        "Lustre",
        Panel.lines(
                "Read and written",
                "Bytes a second that applications read and wrote, by file system.",
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
                "Time until a target answers",
                "Mean wait of a request, by target. One slow target slows everything that touches it.",
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
                "Each target: whether the client has lost it, how often it was shut out or lost the connection, and"
                    + " the requests that were not answered in time.",
                List.of(
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #A", "Away").scale(Scales.YES_IS_BAD),
                    Column.of("Value #B", "Shut out", Unit.COUNT).scale(Scale.rising(1)),
                    Column.of("Value #C", "Reconnected", Unit.COUNT),
                    Column.of("Value #D", "Timeouts", Unit.COUNT),
                    Column.of("Value #E", "In flight", Unit.COUNT)),
                Query.rows("1 - min by (fs, target) (lapwing_lustre_import_connected{node})"),
                target("lapwing_lustre_evictions_total"),
                target("lapwing_lustre_reconnects_total"),
                target("lapwing_lustre_rpc_timeouts_total"),
                target("lapwing_lustre_rpcs_in_flight"))
            .size(8, 8)
            .whenEmpty("No file system is mounted"));
  }

  private static Query target(String family) {
    return Query.rows("max by (fs, target) (" + family + "{node})");
  }

  static Row work() {
    return Row.of(
        "What runs here",
        Panel.table(
                "Whose the GPUs are",
                "The job, pod or user that has each GPU.",
                List.of(
                    Column.of("gpu", "GPU").width(50),
                    Column.job(),
                    Column.of("user", "User"),
                    Column.of("partition", "Partition"),
                    Column.of("namespace", "Namespace"),
                    Column.of("pod", "Pod")),
                Query.rows(
                    "max by (gpu, job_id, user, partition, namespace, pod) (lapwing_gpu_job_info{gpu})"))
            .size(8, 8)
            .whenEmpty("Nobody has a GPU, or nothing tells who"),
        Panel.lines(
                "Step time by rank",
                "Mean time of a step of each rank on this node.",
                Unit.SECONDS,
                Query.lines(
                    """
                    sum by (instance, job_id, rank) (rate(lapwing_training_step_seconds_total{node}[$__rate_interval]))
                      / (sum by (instance, job_id, rank) (rate(lapwing_training_steps_total{node}[$__rate_interval])) > 0)
                    """,
                    "{{instance}} job {{job_id}} rank {{rank}}"))
            .size(8, 8)
            .from(0)
            .link(Link.JOB_OF_LINE),
        Panel.lines(
                "Waiting for a resource",
                "Share of time in which some task of the host waited for CPU, memory or input and output.",
                Unit.RATIO,
                Query.lines(
                    """
                    max by (instance, resource) (
                      rate(lapwing_host_pressure_seconds_total{node, tasks="some"}[$__rate_interval]))
                    """,
                    "{{instance}} {{resource}}"))
            .size(8, 8)
            .between(0, 1));
  }
}
