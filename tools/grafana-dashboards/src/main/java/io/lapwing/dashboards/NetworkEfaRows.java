package io.lapwing.dashboards;

import java.util.List;

/** Findings of network and storage; EFA traffic and errors. */
final class NetworkEfaRows {

  /** Of the selected type. */
  private static final String ONLY = " and on (cluster, instance) lapwing_node_info{nodes}";

  private NetworkEfaRows() {}

  static Row now() {
    return Row.of(
        "Nodes, findings and actions",
        Panel.table(
                "Network and storage findings",
                "Findings of EFA, Lustre and LNet, worst first. The same finding on many nodes"
                    + " has a shared cause.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.rule(),
                    Column.of("subject", "On"),
                    Column.of("action", "Action").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{node, rule=~\"efa_.*|lustre_.*|lnet_.*\"")
                        + ONLY
                        + ")"),
                Query.rows(Verdicts.findingAge("{node, rule=~\"efa_.*|lustre_.*|lnet_.*\"") + ONLY))
            .size(14, 9)
            .whenEmpty("No findings"),
        Panel.table(
                "Missing EFA devices",
                "Nodes with fewer EFA devices than the maximum of their instance type. If a"
                    + " launch template attaches fewer, set --health.expected-efa-devices.",
                List.of(
                    Column.of("Value #A", "Missing", Unit.COUNT).scale(Scale.rising(1)),
                    Column.node(),
                    Column.of("Value #B", "Present", Unit.COUNT)),
                Query.rows(
                    """
                    sort_desc(max by (cluster, instance) (
                      lapwing_node_expected_efa_devices{node} - lapwing_efa_devices{node} > 0)
                      and on (cluster, instance) lapwing_node_info{nodes})
                    """),
                Query.rows(
                    """
                    max by (cluster, instance) (
                      lapwing_efa_devices{node} and on (cluster, instance)
                        (lapwing_node_expected_efa_devices{node} - lapwing_efa_devices{node} > 0))
                      and on (cluster, instance) lapwing_node_info{nodes}
                    """))
            .size(10, 9)
            .whenEmpty("No node lacks EFA devices"));
  }

  static Row traffic() {
    return Row.of(
        "EFA traffic",
        bytes("Sent", "tx", "Bytes per second sent by all EFA devices of a node, highest nodes."),
        bytes(
            "Received",
            "rx",
            "Bytes per second received by all EFA devices of a node, highest nodes."),
        Panel.lines(
                "Retransmitted packets",
                "Share of a node's packets that SRD retransmitted. One high node: the node or its"
                    + " rail; all nodes of a job: the path between them.",
                Unit.RATIO,
                Query.lines(
                    Selectors.top("instance:lapwing_efa_retransmits:ratio_rate5m{nodes}"),
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
                Selectors.top("instance:lapwing_efa_" + direction + "_bytes:rate5m{nodes}"),
                "{{instance}}"))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  static Row errors() {
    return Row.folded(
        "EFA errors",
        events("Timeouts", "path_timeouts", "Path timeouts of SRD per second."),
        events(
            "Unresponsive peers",
            "unresponsive_peers",
            "Unanswered requests to peers per second. Look for a node that many others cannot"
                + " reach."),
        events(
            "Impaired connections",
            "impaired_connections",
            "Connections per second that became impaired, which limits their rate."),
        events("RDMA errors", "rdma_errors", "Failed reads and writes per second, by node."),
        events("Drops", "rx_drops", "Received packets dropped per second."),
        Panel.table(
                "Rails below their node's median",
                "Devices that send at least a tenth less than the median device of their node,"
                    + " the furthest behind first. A slow rail slows every collective operation.",
                List.of(
                    Column.of("Value", "Behind the median", Unit.RATIO)
                        .scale(Scale.rising(0.2, 0.5))
                        .width(140),
                    Column.node(),
                    Column.of("device", "Device")),
                Query.rows(
                    """
                    topk($top, (1 -
                      sum by (cluster, instance, device) (rate(node_amazonefa_tx_bytes{node}[$__rate_interval]))
                      / on (cluster, instance) group_left () (
                        quantile by (cluster, instance) (0.5,
                          sum by (cluster, instance, device) (rate(node_amazonefa_tx_bytes{node}[$__rate_interval]))) > 0)
                      and on (cluster, instance) lapwing_node_info{nodes}) > 0.1)
                    """))
            .size(8, 8)
            .whenEmpty("No rail is a tenth below its node's median"));
  }

  private static Panel events(String title, String metric, String description) {
    return Panel.lines(
            title,
            description,
            Unit.PER_SECOND,
            Query.lines(
                Selectors.top("instance:lapwing_efa_" + metric + ":rate5m{nodes}") + " > 0",
                "{{instance}}"))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE)
        .whenEmpty("Nothing of it in this time range");
  }
}
