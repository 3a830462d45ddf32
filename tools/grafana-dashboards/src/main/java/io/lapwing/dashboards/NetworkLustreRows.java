package io.lapwing.dashboards;

import java.util.List;

/** Lustre and LNet: how fast targets answer, who lost them, and how full they are. */
final class NetworkLustreRows {

  private NetworkLustreRows() {}

  static Row latency() {
    return Row.of(
        "Lustre: how fast the targets answer",
        Panel.lines(
                "Wait of a request, by node",
                "Mean time until a target answered a request of the node. One node high is the node; all high is the"
                    + " file system.",
                Unit.SECONDS,
                Query.lines(
                    "max by (cluster, instance) (instance:lapwing_lustre_rpc_wait_seconds:mean5m{nodes})",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Wait of a request, by target",
                "Mean time until each target answered, over all nodes. One target high is its server or its disks.",
                Unit.SECONDS,
                Query.lines(
                    "max by (fs, target) (fs_target:lapwing_lustre_rpc_wait_seconds:mean5m{cluster})",
                    "{{fs}} {{target}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Read and written",
                "Bytes a second that applications of all nodes read and wrote, by file system.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    "sum by (fs) (rate(lapwing_lustre_read_bytes_total{node}[$__rate_interval]))",
                    "{{fs}} read"),
                Query.lines(
                    "sum by (fs) (rate(lapwing_lustre_write_bytes_total{node}[$__rate_interval]))",
                    "{{fs}} written"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Operations",
                "Operations a second of applications of all nodes. Many opens and attributes and few bytes are many"
                    + " small files.",
                Unit.OPERATIONS_PER_SECOND,
                Query.lines(
                    "sum by (fs, operation) (rate(lapwing_lustre_operations_total{node}[$__rate_interval]))",
                    "{{fs}} {{operation}}"))
            .size(12, 8)
            .from(0),
        Panel.heat(
                "Requests by how many pages they carried",
                "Many requests of few pages are small or scattered reads and writes, which Lustre is slow at.",
                Unit.COUNT,
                Query.buckets(
                    "sum by (le) (increase(lapwing_lustre_rpc_pages_bucket{node}[$__rate_interval]))"))
            .size(12, 8));
  }

  static Row connections() {
    return Row.of(
        "Lustre and LNet: connections",
        Panel.table(
                "Targets that are away, or shut a node out",
                "Connections that are not there now, and those that a target ended since the mount: open files fail"
                    + " then, and data not written yet is lost.",
                List.of(
                    Column.of("Value #B", "Shut out", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #A", "Connected").scale(Scales.YES_IS_GOOD)),
                away("lapwing_lustre_import_connected"),
                away("lapwing_lustre_evictions_total"))
            .size(8, 8)
            .whenEmpty("Every target is connected, and none shut a node out"),
        Panel.lines(
                "Requests not answered in time",
                "Requests a second that targets did not answer in time, by node.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (instance) (rate(lapwing_lustre_rpc_timeouts_total{node}[$__rate_interval]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "LNet messages dropped",
                "Messages a second that LNet of a node dropped.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (instance) (rate(lapwing_lnet_dropped_messages_total{node}[$__rate_interval]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "LNet send credits left",
                "Messages that an interface could still send at once. Below zero, messages wait.",
                Unit.COUNT,
                Query.lines(
                    "min by (instance, nid) (lapwing_lnet_ni_tx_credits{node})",
                    "{{instance}} {{nid}}"))
            .size(8, 8),
        Panel.lines(
                "LNet interfaces up",
                "1 while LNet calls the interface up.",
                Unit.COUNT,
                Query.lines(
                    "min by (instance, nid) (lapwing_lnet_ni_up{node})", "{{instance}} {{nid}}"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "Requests in flight, of the limit",
                "The fullest target of each node. At 100%, new requests wait on the node itself.",
                Unit.RATIO,
                Query.lines(
                    """
                    max by (instance) (
                      lapwing_lustre_rpcs_in_flight{node} / lapwing_lustre_rpcs_in_flight_limit{node})
                    """,
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }

  private static Query away(String family) {
    return Query.rows(
        """
        max by (cluster, instance, fs, target) (%s{node})
          and on (cluster, instance, fs, target) (
            lapwing_lustre_import_connected{node} == 0 or lapwing_lustre_evictions_total{node} > 0)
        """
            .formatted(family));
  }

  static Row space() {
    return Row.of(
        "Lustre: space",
        Panel.bars(
                "Full, by file system",
                "Share of the bytes that users may have which is taken.",
                Unit.RATIO,
                Query.latest(
                    """
                    sort_desc(1 - min by (fs) (lapwing_lustre_available_bytes{node} / lapwing_lustre_size_bytes{node}))
                    """,
                    "{{fs}}"))
            .scale(Scale.rising(0.8, 0.9))
            .between(0, 1)
            .size(8, 8),
        Panel.table(
                "Fullest targets",
                "A target that is full fails writes while the file system looks fine.",
                List.of(
                    Column.of("Value #A", "Full", Unit.RATIO).scale(Scale.rising(0.8, 0.9)),
                    Column.of("fs", "File system"),
                    Column.of("target", "Target"),
                    Column.of("Value #B", "Left", Unit.BYTES)),
                Query.rows(
                    """
                    sort_desc(1 - min by (fs, target) (
                      lapwing_lustre_target_available_bytes{node} / lapwing_lustre_target_size_bytes{node}))
                    """),
                Query.rows("min by (fs, target) (lapwing_lustre_target_available_bytes{node})"))
            .size(8, 8)
            .whenEmpty("No file system is mounted"),
        Panel.lines(
                "Grant left for writes",
                "Bytes that the targets have promised to take from a node's cache; a target without any makes writes"
                    + " wait.",
                Unit.BYTES,
                Query.lines(
                    "min by (instance, fs) (lapwing_lustre_grant_bytes{node})",
                    "{{instance}} {{fs}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }
}
