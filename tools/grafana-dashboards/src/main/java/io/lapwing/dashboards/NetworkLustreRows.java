package io.lapwing.dashboards;

import java.util.List;

/** Lustre and LNet: latency, connections and space. */
final class NetworkLustreRows {

  private NetworkLustreRows() {}

  static Row latency() {
    return Row.of(
        "Lustre latency and throughput",
        Panel.lines(
                "Request latency by node",
                "Mean time until a target answered a request of the node. One high node: that"
                    + " node; all nodes: the file system.",
                Unit.SECONDS,
                Query.lines(
                    Selectors.top("instance:lapwing_lustre_rpc_wait_seconds:mean5m{nodes}"),
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Request latency by target",
                "Mean time until a target answered, over all nodes that mount it; the slowest"
                    + " targets of the file systems of the selected nodes. One high target: its"
                    + " server or its disks.",
                Unit.SECONDS,
                Query.lines(
                    """
                    max by (cluster, fs, target) (%1$s)
                      and on (cluster, fs) %2$s
                      and on (cluster, fs, target)
                        topk($top, max by (cluster, fs, target) (max_over_time(%1$s[$__range] @ end())) and on (cluster, fs) %2$s)
                    """
                        .formatted(
                            "fs_target:lapwing_lustre_rpc_wait_seconds:mean5m{cluster}",
                            Selectors.ofNodes("lapwing_lustre_size_bytes{node}")),
                    "{{fs}} {{target}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Read and write throughput",
                "Bytes per second read and written by applications on all nodes, by file system.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    "sum by (fs) "
                        + Selectors.ofNodes(
                            "rate(lapwing_lustre_read_bytes_total{node}[$__rate_interval])"),
                    "{{fs}} read"),
                Query.lines(
                    "sum by (fs) "
                        + Selectors.ofNodes(
                            "rate(lapwing_lustre_write_bytes_total{node}[$__rate_interval])"),
                    "{{fs}} written"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Operations",
                "Operations per second of applications on all nodes. Many opens and attribute"
                    + " reads with few bytes are many small files.",
                Unit.OPERATIONS_PER_SECOND,
                Query.lines(
                    "sum by (fs, operation) "
                        + Selectors.ofNodes(
                            "rate(lapwing_lustre_operations_total{node}[$__rate_interval])"),
                    "{{fs}} {{operation}}"))
            .size(12, 8)
            .from(0),
        Panel.heat(
                "Requests by number of pages",
                "Many requests with few pages are small or scattered reads and writes, which are"
                    + " slow on Lustre.",
                Unit.COUNT,
                Query.buckets(
                    "sum by (le) "
                        + Selectors.ofNodes(
                            "increase(lapwing_lustre_rpc_pages_bucket{node}[$__rate_interval])")))
            .size(12, 8));
  }

  static Row connections() {
    return Row.folded(
        "Lustre and LNet: connections",
        Panel.table(
                "Disconnected targets and evictions",
                "Currently disconnected targets, and evictions since the mount. An eviction fails"
                    + " open files and loses unwritten data.",
                List.of(
                    Column.of("Value #B", "Evictions", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #A", "Connected").scale(Scales.YES_IS_GOOD)),
                away("lapwing_lustre_import_connected"),
                away("lapwing_lustre_evictions_total"))
            .size(8, 8)
            .whenEmpty("Every target is connected, without evictions"),
        Panel.lines(
                "Request timeouts",
                "Requests per second that targets did not answer in time, by node.",
                Unit.PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance) "
                        + Selectors.ofNodes(
                            "rate(lapwing_lustre_rpc_timeouts_total{node}[$__rate_interval])")
                        + " > 0)",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Dropped LNet messages",
                "LNet messages dropped per second, by node.",
                Unit.PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance) "
                        + Selectors.ofNodes(
                            "rate(lapwing_lnet_dropped_messages_total{node}[$__rate_interval])")
                        + " > 0)",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Available LNet send credits",
                "Messages that an interface can still send at once. Below zero, messages wait.",
                Unit.COUNT,
                Query.lines(
                    "bottomk($top, min by (instance, nid) "
                        + Selectors.ofNodes("lapwing_lnet_ni_tx_credits{node}")
                        + ")",
                    "{{instance}} {{nid}}"))
            .size(8, 8),
        Panel.table(
                "LNet interfaces down",
                "Interfaces that LNet reports as down.",
                List.of(
                    Column.node(),
                    Column.of("nid", "Interface"),
                    Column.of("Value", "Up").scale(Scales.YES_IS_GOOD)),
                Query.rows(
                    "min by (cluster, instance, nid) "
                        + Selectors.ofNodes("lapwing_lnet_ni_up{node} == 0")))
            .size(8, 8)
            .whenEmpty("Every LNet interface is up"),
        Panel.lines(
                "Requests in flight / limit",
                "Fullest target of each node. At 100%, new requests wait on the node.",
                Unit.RATIO,
                Query.lines(
                    """
                    topk($top, max by (instance) %s)
                    """
                        .formatted(
                            Selectors.ofNodes(
                                "lapwing_lustre_rpcs_in_flight{node} / lapwing_lustre_rpcs_in_flight_limit{node}")),
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }

  private static Query away(String family) {
    return Query.rows(
        """
        max by (cluster, instance, fs, target) %s
          and on (cluster, instance, fs, target) (
            lapwing_lustre_import_connected{node} == 0 or lapwing_lustre_evictions_total{node} > 0)
        """
            .formatted(Selectors.ofNodes(family + "{node}")));
  }

  private static String fullest() {
    return "topk($top, 1 - min by (fs, target) "
        + Selectors.ofNodes(
            "lapwing_lustre_target_available_bytes{node} / lapwing_lustre_target_size_bytes{node}")
        + ")";
  }

  static Row space() {
    return Row.folded(
        "Lustre: space",
        Panel.bars(
                "Usage by file system",
                "Used share of the bytes available to users.",
                Unit.RATIO,
                Query.latest(
                    "sort_desc(1 - min by (fs) "
                        + Selectors.ofNodes(
                            "lapwing_lustre_available_bytes{node} / lapwing_lustre_size_bytes{node}")
                        + ")",
                    "{{fs}}"))
            .scale(Scale.rising(0.8, 0.9))
            .between(0, 1)
            .size(8, 8),
        Panel.table(
                "Fullest targets",
                "Writes to a full target fail even if the file system has free space.",
                List.of(
                    Column.of("Value #A", "Used", Unit.RATIO).scale(Scale.rising(0.8, 0.9)),
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #B", "Available", Unit.BYTES)),
                Query.rows(fullest()),
                Query.rows(
                    "min by (fs, target) "
                        + Selectors.ofNodes("lapwing_lustre_target_available_bytes{node}")
                        + " and on (fs, target) "
                        + fullest()))
            .size(8, 8)
            .whenEmpty("No Lustre file system is mounted"),
        Panel.lines(
                "Available write grant",
                "Bytes that the targets have granted to a node's write cache; without a grant,"
                    + " writes wait.",
                Unit.BYTES,
                Query.lines(
                    "bottomk($top, min by (instance, fs) "
                        + Selectors.ofNodes("lapwing_lustre_grant_bytes{node}")
                        + ")",
                    "{{instance}} {{fs}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }
}
