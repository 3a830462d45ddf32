package io.lapwing.dashboards;

import java.util.List;

/** What is wrong with the node, since when, and what it is. */
final class NodeVerdictRows {

  private NodeVerdictRows() {}

  static Row verdict() {
    return Row.of(
        "The verdict and its evidence",
        Panel.stat(
                "Verdict",
                "The worst finding makes the verdict. Unknown means that something cannot be seen that should be; that"
                    + " is not healthy.",
                Unit.WORD,
                Query.latest("max(instance:lapwing_node_verdict:code{node})", ""))
            .scale(Scales.VERDICT)
            .size(4, 4),
        Panel.stat(
                "What to do",
                "What the worst finding asks for. `lapwing check` on the node says when: now, or at the end of the job.",
                Unit.WORD,
                Query.latest("max(instance:lapwing_node_action:code{node})", ""))
            .scale(Scales.ACTION_CODE)
            .size(4, 4),
        Panel.stat(
                "For",
                "How long ago the verdict changed last.",
                Unit.DURATION,
                Query.latest(
                    "time() - max(lapwing_node_verdict_since_timestamp_seconds{node})", ""))
            .size(4, 4),
        Panel.stat(
                "Answers",
                "Whether Prometheus could read the node's page at the last scrape. Where it could not, all else here is"
                    + " old.",
                Unit.WORD,
                Query.latest("max(up{node, job=\"lapwing\"})", ""))
            .scale(Scales.YES_IS_GOOD)
            .size(3, 4),
        Panel.stat(
                "Looked at",
                "How long ago the agent judged the node last. It does so every second or so; one that stands still"
                    + " says nothing new.",
                Unit.SECONDS,
                Query.latest("time() - max(lapwing_health_evaluation_timestamp_seconds{node})", ""))
            .scale(Scale.rising(60, 300))
            .decimals(0)
            .size(3, 4),
        Panel.stat(
                "GPUs, and expected",
                "GPUs that the driver tells of, and how many this instance type has.",
                Unit.COUNT,
                Query.latest("max(lapwing_gpus{node})", "there"),
                Query.latest("max(lapwing_node_expected_gpus{node})", "expected"))
            .size(3, 4),
        Panel.stat(
                "Simulated",
                "Yes where a part of this node does not exist; then no value here is real.",
                Unit.WORD,
                Query.latest("max(lapwing_simulated{node})", ""))
            .scale(Scale.below("green").word(0, "no", "green").word(1, "SIMULATED", "blue"))
            .size(3, 4),
        Panel.table(
                "Evidence: what was found",
                "Every finding, the worst first. docs/health-rules.md says what each rule looks at and why;"
                    + " docs/runbooks what to do about it.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(100),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("gpu", "GPU").width(60),
                    Column.of("action", "What to do").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows("sort_desc(" + Verdicts.findings("{node") + ")"),
                Query.rows(Verdicts.findingAge("{node")))
            .size(15, 8)
            .whenEmpty("Nothing was found"),
        Panel.table(
                "What EC2 has announced",
                "Stops, reboots and maintenance that are scheduled for this instance.",
                List.of(
                    Column.of("Value", "Not before", Unit.AGO),
                    Column.of("code", "Event"),
                    Column.of("event_id", "Id")),
                Query.rows(
                    "1000 * max by (code, event_id) (lapwing_node_maintenance_not_before_timestamp_seconds{node})"))
            .size(9, 8)
            .whenEmpty("Nothing is scheduled"),
        Panel.table(
                "What it is",
                "The node, its driver and its agent.",
                List.of(
                    Column.of("instance_type", "Type"),
                    Column.of("instance_id", "Instance"),
                    Column.of("availability_zone", "Zone"),
                    Column.of("lifecycle", "Lifecycle"),
                    Column.of("driver_version", "Driver"),
                    Column.of("version", "Agent")),
                Query.rows(
                    """
                    max by (instance, instance_type, instance_id, availability_zone, lifecycle) (lapwing_node_info{node})
                      * on (instance) group_left (driver_version)
                        max by (instance, driver_version) (lapwing_gpu_driver_info{node})
                      * on (instance) group_left (version) max by (instance, version) (lapwing_build_info{node})
                    """))
            .size(24, 3));
  }

  static Row history() {
    return Row.of(
        "How it came to that",
        Panel.states(
                "Verdicts of the node and its GPUs",
                "The verdict on the node and on each GPU over time.",
                Scales.VERDICT,
                Query.lines(
                    "max by (cluster, instance) (instance:lapwing_node_verdict:code{node})",
                    "{{instance}}"),
                Query.lines(
                    """
                    max by (cluster, instance, gpu) (
                      3 * lapwing_gpu_verdict{gpu, verdict="failing"}
                      or 2 * lapwing_gpu_verdict{gpu, verdict="unknown"}
                      or lapwing_gpu_verdict{gpu, verdict="degraded"}
                      or 0 * lapwing_gpu_verdict{gpu, verdict="healthy"})
                    """,
                    "{{instance}} GPU {{gpu}}"))
            .size(12, 9),
        Panel.states(
                "Findings",
                "What was found when: a bar for each finding, as long as it stood.",
                Scales.SEVERITY_CODE,
                Query.lines(Verdicts.findings("{node"), "{{rule}} {{subject}} ({{instance}})"))
            .size(12, 9)
            .whenEmpty("Nothing was found in this time"),
        Panel.table(
                "XIDs",
                "XIDs by GPU, the latest first. docs/xids.md says what each means.",
                List.of(
                    Column.of("Value #A", "Last", Unit.AGO),
                    Column.of("gpu", "GPU"),
                    Column.of("xid", "XID"),
                    Column.of("Value #B", "Times", Unit.COUNT)),
                Query.rows(
                    """
                    sort_desc(1000 * max by (cluster, instance, gpu, xid) (
                      lapwing_gpu_xid_last_seen_timestamp_seconds{gpu}))
                    """),
                Query.rows(
                    "max by (cluster, instance, gpu, xid) (lapwing_gpu_xid_errors_total{gpu} > 0)"))
            .size(12, 7)
            .whenEmpty("No XID since the agent started"),
        Panel.lines(
                "Events in the agent's log",
                "How many events of each kind the agent wrote down; /api/v1/events of the agent has their words.",
                Unit.COUNT,
                Query.lines(
                    "sum by (instance, kind) (increase(lapwing_events_total{node}[$__rate_interval]))",
                    "{{instance}} {{kind}}"))
            .size(12, 7)
            .from(0));
  }
}
