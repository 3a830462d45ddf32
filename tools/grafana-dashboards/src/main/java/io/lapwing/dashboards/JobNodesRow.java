package io.lapwing.dashboards;

import java.util.List;

/**
 * A job by its nodes: GPUs, network and storage, which need no code in the training loop. A node
 * with several jobs counts for each of them.
 */
final class JobNodesRow {

  private static final String SM = "instance:lapwing_gpu_sm_active:ratio_rate5m{cluster}";
  private static final String WAIT = "instance:lapwing_lustre_rpc_wait_seconds:mean5m{cluster}";
  private static final String RETRANSMITS =
      "instance:lapwing_efa_retransmits:ratio_rate5m{cluster}";
  private static final String XID = "lapwing_gpu_xid_last_seen_timestamp_seconds{cluster}";

  private JobNodesRow() {}

  static Row nodes() {
    return Row.of(
        "GPUs, network and storage of the job's nodes (without code in the loop)",
        table(),
        xids(),
        Panel.lines(
                "SM activity by node",
                "Share of time in which an SM had work, mean of a node's GPUs. A wide band means"
                    + " that some nodes wait for others.",
                Unit.RATIO,
                Bands.and(Bands.of(Selectors.ofJob(SM)), Unsupported.ofJob()))
            .bands()
            .between(0, 1)
            .size(8, 8),
        Panel.lines(
                "Tensor core activity by node",
                "Share of time in which the tensor pipe was busy, mean of a node's GPUs.",
                Unit.RATIO,
                Bands.and(
                    Bands.of(
                        Selectors.ofJob(
                            "instance:lapwing_gpu_tensor_active:ratio_rate5m{cluster}")),
                    Unsupported.ofJob()))
            .bands()
            .between(0, 1)
            .size(8, 8),
        Panel.heat(
                "SM activity, node by node",
                "A line for each node of the job. One that differs from the others is a node that"
                    + " waits, or that is not used.",
                Unit.COUNT,
                Query.lines("max by (instance) (" + Selectors.ofJob(SM) + ")", "{{instance}}"))
            .between(0, 1)
            .size(8, 8)
            .whenEmpty("Not supported on the GPUs of this job, or not recorded"),
        Panel.lines(
                "Power by node",
                "Power of a node's GPUs.",
                Unit.WATT,
                Bands.of(Selectors.ofJob("instance:lapwing_gpu_power_watts:sum{cluster}")))
            .bands()
            .from(0)
            .size(8, 8),
        Panel.lines(
                "SM clock of busy GPUs",
                "Clocks of the job's GPUs that are busy more than half of the time, mean of ten"
                    + " minutes, without GPUs with MIG. The slowest GPU sets the pace of the job.",
                Unit.MEGAHERTZ,
                Bands.of("gpu:lapwing_busy_sm_clock_mhz:avg10m{job}"))
            .bands()
            .size(8, 8)
            .whenEmpty("No GPU of the job was busy for ten minutes"),
        Panel.lines(
                "EFA traffic and retransmits",
                "Bytes sent per second by the devices of the job's nodes, together.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    "sum by (cluster, job_id) (job_id:lapwing_efa_tx_bytes:rate5m{job})",
                    "job {{job_id}} sent"))
            .from(0)
            .size(8, 8)
            .whenEmpty("No EFA devices"),
        Panel.lines(
                "EFA retransmit ratio, highest nodes",
                "Share of a node's packets that SRD retransmitted. One high node: the node or its"
                    + " rail; all nodes: the path between them.",
                Unit.RATIO,
                Query.lines(
                    "topk($top, max by (cluster, instance) (" + Selectors.ofJob(RETRANSMITS) + "))",
                    "{{instance}}"))
            .from(0)
            .size(8, 8)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("No EFA devices"),
        Panel.lines(
                "Lustre request latency by node",
                "Mean time until a target answered a request of the node. One high node: that"
                    + " node; all nodes: the file system.",
                Unit.SECONDS,
                Bands.of(Selectors.ofJob(WAIT)))
            .bands()
            .from(0)
            .size(8, 8)
            .whenEmpty("No Lustre file system is mounted"),
        Panel.lines(
                "Lustre throughput",
                "Bytes per second read and written by applications on the job's nodes.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    "sum("
                        + Selectors.ofJob("instance:lapwing_lustre_read_bytes:rate5m{cluster}")
                        + ")",
                    "read"),
                Query.lines(
                    "sum("
                        + Selectors.ofJob("instance:lapwing_lustre_write_bytes:rate5m{cluster}")
                        + ")",
                    "written"))
            .from(0)
            .size(8, 8)
            .whenEmpty("No Lustre file system is mounted"));
  }

  private static Panel table() {
    return Panel.table(
            "Nodes of the job",
            "Every node that the job held GPUs on within the time range, from when to when, and"
                + " its mean SM activity and power, highest retransmit ratio and highest Lustre"
                + " latency of that time. The least active node is first.",
            List.of(
                Column.of("Value #A", "Not active", Unit.RATIO),
                Column.node(),
                Column.of("Value #B", "GPUs", Unit.COUNT),
                Column.of("Value #C", "First", Unit.TIME),
                Column.of("Value #D", "Last", Unit.TIME),
                Column.of("Value #E", "Power", Unit.WATT),
                Column.of("Value #F", "Retransmits", Unit.RATIO).scale(Scale.rising(0.001, 0.01)),
                Column.of("Value #G", "Lustre latency", Unit.SECONDS)),
            Query.rows("1 - " + over("avg", SM)),
            Query.rows(
                "max by (cluster, instance) (max_over_time(instance_job_id:lapwing_gpus:allocated{job}[$__range]))"),
            seen("min"),
            seen("max"),
            Query.rows(over("avg", "instance:lapwing_gpu_power_watts:sum{cluster}")),
            Query.rows(over("max", RETRANSMITS)),
            Query.rows(over("max", WAIT)))
        .size(15, 9);
  }

  private static Query seen(String end) {
    return Query.rows(
        "1000 * "
            + end
            + " by (cluster, instance) ("
            + end
            + "_over_time(timestamp(instance_job_id:lapwing_gpus:allocated{job})[$__range:1m]))");
  }

  /** A value by node while the job held GPUs there. */
  private static String over(String function, String recorded) {
    return "max by (cluster, instance) ("
        + function
        + "_over_time("
        + Selectors.ofJob(recorded)
        + "[$__range:1m]))";
  }

  private static Panel xids() {
    String ofJob =
        "(" + XID + " and on (cluster, instance, UUID) gpu_job_id:lapwing_gpu_held:max{job})";
    return Panel.table(
            "XIDs on the job's GPUs",
            "XIDs while the job held the GPU, within the time range, latest first; whether a fault"
                + " of the hardware or of the program is behind each is in the table of XIDs.",
            List.of(
                Column.of("Value", "Last", Unit.TIME),
                Column.node(),
                Column.of("gpu", "GPU").width(50),
                Column.of("xid", "XID").width(60).link(Link.XID)),
            Query.rows(
                "sort_desc(1000 * max by (cluster, instance, gpu, xid) (max_over_time("
                    + ofJob
                    + "[$__range:1m])) > 1000 * (time() - $__range_s))"))
        .size(9, 9)
        .whenEmpty("No XID on the job's GPUs in this time range");
  }
}
