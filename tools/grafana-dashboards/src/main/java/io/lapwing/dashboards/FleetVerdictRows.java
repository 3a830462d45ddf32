package io.lapwing.dashboards;

import java.util.List;

/** Which node, why and what to do; how it came to that; XIDs. */
final class FleetVerdictRows {

  private FleetVerdictRows() {}

  static Row now() {
    return Row.of(
        "Which node, why, and what to do",
        nodes("failing", "red", "a node that should not go on working"),
        nodes("unknown", "purple", "a node of which something cannot be seen that should be"),
        nodes("degraded", "yellow", "a node that works and is not well"),
        nodes("healthy", "green", "a node without a finding"),
        Panel.stat(
                "No answer",
                "Nodes whose page Prometheus could not read at the last scrape. It is the node, its agent, or the way"
                    + " there.",
                Unit.COUNT,
                Query.latest(
                    "sum(max by (cluster, instance) (up{cluster, job=\"lapwing\"} == bool 0))", ""))
            .scale(Scale.rising(1)),
        Panel.stat(
                "Wasted an hour",
                "Dollars an hour of GPUs that somebody holds and that compute nothing, by the table of prices in"
                    + " fleet.yml.",
                Unit.DOLLARS,
                Query.latest("sum(cluster:lapwing_gpu_idle_cost_dollars:rate1h{cluster})", ""))
            .decimals(2),
        Panel.stat(
            "GPUs",
            "GPUs that the drivers of all nodes tell of.",
            Unit.COUNT,
            Query.latest("sum(instance:lapwing_gpus:sum{type})", "")),
        Panel.stat(
                "Simulated nodes",
                "Nodes that do not exist. No value of theirs is real; among real nodes there should be none.",
                Unit.COUNT,
                Query.latest("sum(max by (cluster, instance) (lapwing_simulated{cluster}))", ""))
            .scale(Scale.below("green").from("blue", 1)),
        Panel.table(
                "Nodes to act on",
                "Every node that is not healthy or does not answer, the most urgent first: the verdict and what to do. Click the name for"
                    + " its evidence.",
                List.of(
                    Column.of("Value #A", "What to do").scale(Scales.URGENCY).width(200),
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
                "Why: their findings",
                "Every finding, the worst first: the rule that found it, in docs/health-rules.md, and on what.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("action", "What to do").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows("sort_desc(" + Verdicts.findings("{cluster") + " >= 1)"),
                Query.rows(Verdicts.findingAge("{cluster, severity=~\"failing|unknown|degraded\"")))
            .size(14, 9)
            .whenEmpty("No finding changes a verdict"));
  }

  private static Panel nodes(String verdict, String color, String meaning) {
    return Panel.stat(
            Character.toUpperCase(verdict.charAt(0)) + verdict.substring(1),
            "Nodes whose verdict is " + verdict + ": " + meaning + ".",
            Unit.COUNT,
            Query.latest(
                "sum(cluster:lapwing_nodes:by_verdict{cluster, verdict=\"" + verdict + "\"})", ""))
        .scale(
            verdict.equals("healthy") ? Scale.below("green") : Scale.below("green").from(color, 1));
  }

  static Row matrix() {
    return Row.of(
        "How it came to that",
        Panel.states(
                "Verdicts of nodes that were not healthy",
                "One line for each node that was not healthy at some time in the range, with a gap wherever it was."
                    + " Nodes that were healthy all along are left out.",
                Scales.VERDICT,
                Query.lines(
                    "max by (cluster, instance) (instance:lapwing_node_verdict:code{type}) > 0",
                    "{{instance}}"))
            .size(16, 9)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("Every node was healthy all the time"),
        Panel.table(
                "Alerts that fire",
                "What Prometheus or AMP says now, of the cluster and of nodes. LapwingWatchdog always fires: that is"
                    + " how silence is told from health.",
                List.of(
                    Column.of("severity", "Severity").scale(Scales.ALERT).width(80),
                    Column.of("alertname", "Alert"),
                    Column.node(),
                    Column.of("action", "What to do").scale(Scales.ACTION)),
                Query.rows(
                    """
                    sort_desc(
                      max by (cluster, instance, alertname, severity, action) (
                        3 * ALERTS{cluster, alertstate="firing", severity="critical"}
                        or 2 * ALERTS{cluster, alertstate="firing", severity="warning"}
                        or ALERTS{cluster, alertstate="firing", severity!~"critical|warning"}))
                    """))
            .size(8, 9)
            .whenEmpty("None, not even the watchdog: are the rules loaded?"));
  }

  static Row xids() {
    return Row.of(
        "XIDs: what the driver cried out",
        Panel.heat(
                "GPUs that had an XID",
                "How many GPUs had each XID, by when. One column that goes through many XIDs is one event on one GPU;"
                    + " a row that goes on is an application or a fault that repeats.",
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
                "The latest first, with how often since the agent started. docs/xids.md says what each means and what"
                    + " to do.",
                List.of(
                    Column.of("Value #A", "When", Unit.AGO),
                    Column.node(),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("xid", "XID").width(60),
                    Column.of("Value #B", "Times", Unit.COUNT).width(60),
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
