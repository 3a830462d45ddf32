package io.lapwing.dashboards;

import java.util.List;

/** All findings, health history, alerts and XIDs. */
final class FleetVerdictRows {

  private FleetVerdictRows() {}

  static Row history() {
    return Row.folded(
        "Findings, alerts and health history",
        Panel.states(
                "Nodes that were not healthy",
                "One line for each node that is or was not healthy in the range, the worst first,"
                    + " with gaps while it was healthy. Other nodes are left out.",
                Scales.VERDICT,
                Query.lines(
                    """
                    (max by (cluster, instance) (instance:lapwing_node_verdict:code{type}) > 0)
                      and on (cluster, instance) topk($top, max by (cluster, instance) (
                        sum_over_time(instance:lapwing_node_verdict:code{type}[$__range] @ end())))
                    """,
                    "{{instance}}"))
            .size(14, 10)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("Every node was healthy the whole time"),
        Panel.table(
                "Firing alerts",
                "Alerts of the selected clusters that fire now, without LapwingWatchdog, which"
                    + " always fires. Click an alert for its runbook.",
                List.of(
                    Column.of("severity", "Severity").scale(Scales.ALERT).width(80),
                    Column.of("alertname", "Alert").link(Link.RUNBOOK),
                    Column.node(),
                    Column.of("action", "Action").scale(Scales.ACTION)),
                Query.rows(
                    """
                    sort_desc(
                      max by (cluster, instance, alertname, severity, action) (
                        (3 * ALERTS{cluster, alertstate="firing", severity="critical"}
                        or 2 * ALERTS{cluster, alertstate="firing", severity="warning"}
                        or ALERTS{cluster, alertstate="firing", severity!~"critical|warning", alertname!="LapwingWatchdog"})
                        unless on (cluster, instance) lapwing_node_info{cluster, instance_type!~"$instance_type"}))
                    """))
            .size(10, 10)
            .whenEmpty("No alert fires"),
        Panel.table(
                "All findings",
                "Every finding of the nodes with a verdict that is chosen above, worst first.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.rule(),
                    Column.of("subject", "On"),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("action", "Action").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows(
                    "sort_desc(("
                        + Verdicts.findings("{cluster")
                        + " >= 1) and on (cluster, instance) "
                        + Verdicts.chosen()
                        + ")"),
                Query.rows(
                    Verdicts.findingAge("{cluster, severity=~\"failing|unknown|degraded\"")
                        + " and on (cluster, instance) "
                        + Verdicts.chosen()))
            .size(24, 9)
            .whenEmpty("No findings"));
  }

  static Row xids() {
    return Row.folded(
        "XID errors",
        Panel.heat(
                "GPUs with XIDs",
                "Number of GPUs with each XID over time. A column with many XIDs is one event on"
                    + " one GPU; a row that continues is an application, or a fault that repeats.",
                Unit.COUNT,
                Query.lines(
                    """
                    count by (xid) (
                      time() - max by (cluster, instance, gpu, xid) (%s) < $__interval_ms / 1000)
                    """
                        .formatted(
                            Selectors.ofType(
                                "lapwing_gpu_xid_last_seen_timestamp_seconds{cluster}")),
                    "XID {{xid}}"))
            .interval("1m")
            .size(12, 9)
            .whenEmpty("No XID in this time"),
        Panel.table(
                "Last XIDs by GPU",
                "XIDs within the time range, latest first, with the count since boot.",
                List.of(
                    Column.of("Value #A", "When", Unit.AGO),
                    Column.node(),
                    Column.of("gpu", "GPU").width(50),
                    Column.of("xid", "XID").width(60).link(Link.XID),
                    Column.of("Value #B", "Count", Unit.COUNT).width(60),
                    Column.of("UUID", "UUID")),
                Query.rows(
                    "sort_desc(1000 * max by (cluster, instance, gpu, UUID, xid) ("
                        + recent()
                        + "))"),
                Query.rows(
                    "max by (cluster, instance, gpu, UUID, xid) (lapwing_gpu_xid_errors_total{cluster} > 0 and on (cluster, instance, gpu, UUID, xid) "
                        + recent()
                        + ")"))
            .size(12, 9)
            .whenEmpty("No XID in this time range"));
  }

  private static String recent() {
    return Selectors.ofType(
        "lapwing_gpu_xid_last_seen_timestamp_seconds{cluster} > time() - $__range_s");
  }
}
