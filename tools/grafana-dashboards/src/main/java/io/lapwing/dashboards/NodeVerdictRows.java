package io.lapwing.dashboards;

import java.util.List;

/** Verdict, findings and details of the node, and their history. */
final class NodeVerdictRows {

  private NodeVerdictRows() {}

  static Row verdict() {
    return Row.of(
        "Verdict and evidence",
        Panel.stat(
                "Verdict",
                "The most severe finding sets the verdict. Unknown: data that is needed to"
                    + " evaluate health is missing.",
                Unit.WORD,
                Query.latest("max(instance:lapwing_node_verdict:code{node})", ""))
            .scale(Scales.VERDICT)
            .size(4, 4),
        Panel.stat(
                "Action",
                "The most severe action of any finding.",
                Unit.WORD,
                Query.latest("max(instance:lapwing_node_action:code{node})", ""))
            .scale(Scales.ACTION_CODE)
            .size(4, 4),
        Panel.stat(
                "Due",
                "When the action is due: now, or at the end of the running job.",
                Unit.WORD,
                Query.latest(
                    """
                    max(2 * lapwing_node_action_urgency{node, urgency="now"} or lapwing_node_action_urgency{node, urgency="job_end"})
                      or 0 * max(lapwing_node_action{node})
                    """,
                    ""))
            .scale(
                Scale.PLAIN
                    .word(0, "nothing", "green")
                    .word(1, "at the end of the job", "yellow")
                    .word(2, "now", "red"))
            .size(4, 4),
        Panel.stat(
                "For",
                "Time since the last change of the verdict.",
                Unit.DURATION,
                Query.latest(
                    "time() - max(lapwing_node_verdict_since_timestamp_seconds{node})", ""))
            .size(3, 4),
        Panel.stat(
                "Up",
                "Whether the last scrape of the node succeeded. If not, the other values here are"
                    + " stale.",
                Unit.WORD,
                Query.latest("max(up{node, job=\"lapwing\"})", ""))
            .scale(Scales.YES_IS_GOOD)
            .size(2, 4),
        Panel.stat(
                "Last evaluation",
                "Time since the last health evaluation. It runs every second or so; if it is"
                    + " older, evaluation has stalled.",
                Unit.SECONDS,
                Query.latest("time() - max(lapwing_health_evaluation_timestamp_seconds{node})", ""))
            .scale(Scale.rising(60, 300))
            .decimals(0)
            .size(2, 4),
        Panel.stat(
                "GPUs, present and expected",
                "GPUs that the driver reports, and the number of this instance type.",
                Unit.COUNT,
                Query.latest("max(lapwing_gpus{node})", "present"),
                Query.latest("max(lapwing_node_expected_gpus{node})", "expected"))
            .size(3, 4),
        Panel.stat(
                "Simulated",
                "Whether any part of this node is simulated. If so, its values are not real.",
                Unit.WORD,
                Query.latest("max(lapwing_simulated{node})", ""))
            .scale(Scale.below("green").word(0, "no", "green").word(1, "SIMULATED", "blue"))
            .size(2, 4),
        Panel.table(
                "Findings and evidence",
                "Every finding, worst first. Click a rule for its description.",
                List.of(
                    Column.of("Value #A", "Severity").scale(Scales.SEVERITY_CODE).width(100),
                    Column.rule(),
                    Column.of("subject", "On"),
                    Column.of("gpu", "GPU").width(60),
                    Column.of("action", "Action").scale(Scales.ACTION),
                    Column.of("Value #B", "For", Unit.DURATION)),
                Query.rows("sort_desc(" + Verdicts.findings("{node") + ")"),
                Query.rows(Verdicts.findingAge("{node")))
            .size(24, 7)
            .whenEmpty("No findings"),
        Panel.table(
                "Node details",
                "Instance, driver and agent of the node.",
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
            .size(10, 4),
        Panel.table(
                "Services of the GPUs",
                "Installed services of NVIDIA's: Fabric Manager, IMEX, persistence daemon, DCGM; whether"
                    + " each runs, and how often it was restarted within a day.",
                List.of(
                    Column.of("unit", "Unit"),
                    Column.of("Value #A", "Runs").scale(Scales.YES_IS_GOOD).width(60),
                    Column.of("Value #B", "Restarts", Unit.COUNT).width(80)),
                Query.rows("max by (unit) (lapwing_gpu_service_running{node})"),
                Query.rows(
                    "max by (unit) (increase(lapwing_gpu_service_restarts_total{node}[1d]))"))
            .size(8, 4)
            .whenEmpty("No such service is installed"),
        Panel.table(
                "Scheduled EC2 events",
                "Scheduled stops, reboots and maintenance of this instance.",
                List.of(
                    Column.of("Value", "Not before", Unit.AGO),
                    Column.of("code", "Event"),
                    Column.of("event_id", "Id")),
                Query.rows(
                    "1000 * max by (code, event_id) (lapwing_node_maintenance_not_before_timestamp_seconds{node})"))
            .size(6, 4)
            .whenEmpty("No scheduled events"));
  }

  static Row history() {
    return Row.folded(
        "Health history",
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
                "One bar for each finding, for as long as it was open.",
                Scales.SEVERITY_CODE,
                Query.lines(
                    "max by (rule, gpu) (" + Verdicts.findings("{node, gpu!=\"\"") + ")",
                    "GPU {{gpu}} {{rule}}"),
                Query.lines(
                    "max by (rule, subject) (" + Verdicts.findings("{node, gpu=\"\"") + ")",
                    "{{rule}} {{subject}}"))
            .size(12, 9)
            .whenEmpty("No findings in this time range"),
        Panel.table(
                "XIDs",
                "XIDs by GPU within the time range, latest first. Click an XID for the table of XIDs.",
                List.of(
                    Column.of("Value #A", "Last", Unit.AGO),
                    Column.of("gpu", "GPU"),
                    Column.of("xid", "XID").link(Link.XID),
                    Column.of("Value #B", "Count", Unit.COUNT)),
                Query.rows(
                    """
                    sort_desc(1000 * max by (cluster, instance, gpu, xid) (
                      lapwing_gpu_xid_last_seen_timestamp_seconds{gpu} > time() - $__range_s))
                    """),
                Query.rows(
                    """
                    max by (cluster, instance, gpu, xid) (lapwing_gpu_xid_errors_total{gpu} > 0
                      and on (cluster, instance, gpu, UUID, xid) lapwing_gpu_xid_last_seen_timestamp_seconds{gpu} > time() - $__range_s)
                    """))
            .size(12, 7)
            .whenEmpty("No XID in this time range"),
        Panel.lines(
                "Events in the agent's log",
                "Number of logged events by kind; /api/v1/events of the agent has the details.",
                Unit.COUNT,
                Query.lines(
                    "sum by (instance, kind) (increase(lapwing_events_total{node}[$__rate_interval]))",
                    "{{instance}} {{kind}}"))
            .size(12, 7)
            .from(0));
  }
}
