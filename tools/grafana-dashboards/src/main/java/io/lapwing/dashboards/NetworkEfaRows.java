package io.lapwing.dashboards;

import java.util.List;

/** What is wrong with the network or the storage; EFA traffic and its errors. */
final class NetworkEfaRows {

  private NetworkEfaRows() {}

  static Row now() {
    return Row.of(
        "Which node, why, and what to do",
        Panel.table(
                "Findings of network and storage",
                "Findings of EFA, Lustre and LNet, the worst first. The same finding on many nodes is not the nodes'"
                    + " fault.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("action", "What to do").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{node, rule=~\"efa_.*|lustre_.*|lnet_.*\"")
                        + ")"),
                Query.rows(Verdicts.findingAge("{node, rule=~\"efa_.*|lustre_.*|lnet_.*\"")))
            .size(14, 9)
            .whenEmpty("Nothing was found"),
        Panel.table(
                "EFA devices that are missing",
                "Nodes with fewer EFA devices than their instance type has at most. Where a launch template asks for"
                    + " fewer, --health.expected-efa-devices says so.",
                List.of(
                    Column.of("Value #A", "Missing", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("Value #B", "There", Unit.COUNT)),
                Query.rows(
                    """
                    sort_desc(max by (cluster, instance) (
                      lapwing_node_expected_efa_devices{node} - lapwing_efa_devices{node}))
                    """),
                Query.rows("max by (cluster, instance) (lapwing_efa_devices{node})"))
            .size(10, 9)
            .whenEmpty("No node has EFA devices"));
  }

  static Row traffic() {
    return Row.of(
        "EFA: what is sent and received",
        bytes("Sent", "tx", "Bytes a second that all EFA devices of a node sent."),
        bytes("Received", "rx", "Bytes a second that all EFA devices of a node received."),
        Panel.lines(
                "Packets sent again",
                "Share of a node's packets that SRD had to send again. One node high is that node's or its rail's;"
                    + " all of a job's high is the path between them.",
                Unit.RATIO,
                Query.lines(
                    "max by (cluster, instance) (instance:lapwing_efa_retransmits:ratio_rate5m{nodes})",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }

  private static Panel bytes(String title, String direction, String description) {
    return Panel.lines(
            title,
            description,
            Unit.BYTES_PER_SECOND,
            Query.lines(
                "sum by (cluster, instance) (instance:lapwing_efa_"
                    + direction
                    + "_bytes:rate5m{nodes})",
                "{{instance}}"))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  static Row errors() {
    return Row.of(
        "EFA: what went wrong",
        events(
            "Timeouts",
            "path_timeouts",
            "Times a second that SRD left a network path after a timeout."),
        events(
            "Peers that do not answer",
            "unresponsive_peers",
            "Times a second that a peer did not answer. Look for the node that many others do not hear from."),
        events(
            "Impaired connections",
            "impaired_connections",
            "Times a second that a connection became impaired and its rate was limited."),
        events(
            "RDMA errors",
            "rdma_errors",
            "Reads and writes a second that ended with an error, by node."),
        events("Drops", "rx_drops", "Packets a second that were received and then dropped."),
        Panel.table(
                "Rails that send less than their siblings",
                "The devices that send least, by how far they are behind the median device of their node. A rail far below the"
                    + " others holds every collective up.",
                List.of(
                    Column.of("Value", "Behind the median", Unit.RATIO)
                        .scale(Scale.rising(0.2, 0.5))
                        .width(140),
                    Column.node(),
                    Column.of("device", "Device")),
                Query.rows(
                    """
                    topk(20, 1 -
                      sum by (cluster, instance, device) (rate(node_amazonefa_tx_bytes{node}[$__rate_interval]))
                      / on (cluster, instance) group_left () (
                        quantile by (cluster, instance) (0.5,
                          sum by (cluster, instance, device) (rate(node_amazonefa_tx_bytes{node}[$__rate_interval]))) > 0))
                    """))
            .size(8, 8)
            .whenEmpty("No node sends anything"));
  }

  private static Panel events(String title, String metric, String description) {
    return Panel.lines(
            title,
            description,
            Unit.PER_SECOND,
            Query.lines(
                "sum by (cluster, instance) (instance:lapwing_efa_" + metric + ":rate5m{nodes})",
                "{{instance}}"))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }
}
