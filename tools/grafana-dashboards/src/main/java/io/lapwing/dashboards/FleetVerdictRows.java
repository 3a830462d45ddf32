package io.lapwing.dashboards;

import java.util.List;

/** Nodes with verdict, findings and action; health history; XIDs. */
final class FleetVerdictRows {

  private FleetVerdictRows() {}

  static Row now() {
    return Row.of(
        "Nodes, findings and actions",
        nodes("failing", "red", "not fit for work"),
        nodes("unknown", "purple", "data that is needed to evaluate health is missing"),
        nodes("degraded", "yellow", "the node works, with a fault"),
        nodes("healthy", "green", "the node has no finding"),
        Panel.stat(
                "No answer",
                "Nodes that Prometheus could not scrape. The cause is the node, its agent, or the"
                    + " network between.",
                Unit.COUNT,
                Query.latest(
                    "sum(max by (cluster, instance) (up{cluster, job=\"lapwing\"} == bool 0))", ""))
            .scale(Scale.rising(1)),
        Panel.stat(
                "Idle GPU cost ($/h)",
                "Cost per hour of GPUs that are allocated and idle, by the price table in"
                    + " fleet.yml.",
                Unit.DOLLARS,
                Query.latest("sum(cluster:lapwing_gpu_idle_cost_dollars:rate1h{cluster})", ""))
            .decimals(2),
        Panel.stat(
            "GPUs",
            "GPUs that the drivers of all nodes report.",
            Unit.COUNT,
            Query.latest("sum(instance:lapwing_gpus:sum{type})", "")),
        Panel.stat(
                "Simulated nodes",
                "Simulated nodes. Their values are not real; a production cluster should have 0.",
                Unit.COUNT,
                Query.latest("sum(max by (cluster, instance) (lapwing_simulated{cluster}))", ""))
            .scale(Scale.below("green").from("blue", 1)),
        Panel.table(
                "Nodes to act on",
                "Every node that is not healthy or does not answer, most urgent first, with its"
                    + " verdict and recommended action. Click the name for the evidence.",
                List.of(
                    Column.of("Value #A", "Action").scale(Scales.URGENCY).width(200),
                    Column.node(),
                    Column.of("instance_type", "Type"),
                    Column.of("cluster", "Cluster"),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows("sort_desc(" + Verdicts.urgency("{type") + ")"),
                Query.rows(
                    """
                    max by (cluster, instance) (time() - lapwing_node_verdict_since_timestamp_seconds{cluster})
                      and on (cluster, instance) instance:lapwing_node_verdict:code{type} > 0
                    """))
            .size(10, 9)
            .whenEmpty("Every node answers and is healthy"),
        Panel.table(
                "Why: findings",
                "Every finding, worst first: its rule (docs/health-rules.md) and the affected"
                    + " component.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("action", "Action").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows("sort_desc(" + Verdicts.findings("{cluster") + " >= 1)"),
                Query.rows(Verdicts.findingAge("{cluster, severity=~\"failing|unknown|degraded\"")))
            .size(14, 9)
            .whenEmpty("No findings"));
  }

  private static Panel nodes(String verdict, String color, String meaning) {
    return Panel.stat(
            Character.toUpperCase(verdict.charAt(0)) + verdict.substring(1),
            "Nodes with the verdict " + verdict + ": " + meaning + ".",
            Unit.COUNT,
            Query.latest(
                "sum(cluster:lapwing_nodes:by_verdict{cluster, verdict=\"" + verdict + "\"})", ""))
        .scale(
            verdict.equals("healthy") ? Scale.below("green") : Scale.below("green").from(color, 1));
  }

  static Row matrix() {
    return Row.of(
        "Health history",
        Panel.states(
                "Nodes that were not healthy",
                "One line for each node that was not healthy at some time in the range, with gaps"
                    + " while it was healthy. Other nodes are left out.",
                Scales.VERDICT,
                Query.lines(
                    "max by (cluster, instance) (instance:lapwing_node_verdict:code{type}) > 0",
                    "{{instance}}"))
            .size(16, 9)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("Every node was healthy the whole time"),
        Panel.table(
                "Firing alerts",
                "Alerts of the cluster and its nodes that fire now. LapwingWatchdog always fires;"
                    + " its absence means that alerting is down.",
                List.of(
                    Column.of("severity", "Severity").scale(Scales.ALERT).width(80),
                    Column.of("alertname", "Alert"),
                    Column.node(),
                    Column.of("action", "Action").scale(Scales.ACTION)),
                Query.rows(
                    """
                    sort_desc(
                      max by (cluster, instance, alertname, severity, action) (
                        3 * ALERTS{cluster, alertstate="firing", severity="critical"}
                        or 2 * ALERTS{cluster, alertstate="firing", severity="warning"}
                        or ALERTS{cluster, alertstate="firing", severity!~"critical|warning"}))
                    """))
            .size(8, 9)
            .whenEmpty("No alerts, not even LapwingWatchdog: are the rules loaded?"));
  }

  static Row xids() {
    return Row.of(
        "XID errors",
        Panel.heat(
                "GPUs with XIDs",
                "Number of GPUs with each XID over time. A column with many XIDs is one event on"
                    + " one GPU; a row that continues is an application, or a fault that repeats.",
                Unit.COUNT,
                Query.lines(
                    """
                    count by (xid) (
                      time() - max by (cluster, instance, gpu, xid) (lapwing_gpu_xid_last_seen_timestamp_seconds{cluster})
                        < $__interval_ms / 1000)
                    """,
                    "XID {{xid}}"))
            .interval("1m")
            .size(12, 9)
            .whenEmpty("No XID in this time"),
        Panel.table(
                "Last XIDs by GPU",
                "Latest first, with the count since the agent started. docs/xids.md explains each"
                    + " XID and its action.",
                List.of(
                    Column.of("Value #A", "When", Unit.AGO),
                    Column.node(),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("xid", "XID").width(60),
                    Column.of("Value #B", "Count", Unit.COUNT).width(60),
                    Column.of("UUID", "UUID")),
                Query.rows(
                    """
                    sort_desc(1000 * max by (cluster, instance, gpu, UUID, xid) (
                      lapwing_gpu_xid_last_seen_timestamp_seconds{cluster}))
                    """),
                Query.rows(
                    """
                    max by (cluster, instance, gpu, UUID, xid) (lapwing_gpu_xid_errors_total{cluster} > 0)
                    """))
            .size(12, 9)
            .whenEmpty("No XID since the agents started"));
  }
}
