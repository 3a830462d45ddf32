package io.lapwing.dashboards;

import java.util.List;

/** What the agents see, and what they fail to see. */
final class AgentSightRows {

  private AgentSightRows() {}

  static Row now() {
    return Row.of(
        "Which agent cannot see, and what",
        count(
            "Agents",
            "count(max by (cluster, instance) (lapwing_build_info{node}))",
            "Agents whose page was read.",
            Scale.PLAIN),
        count(
            "No answer",
            "sum(max by (cluster, instance) (up{node, job=\"lapwing\"} == bool 0))",
            "Agents that did not answer at the last scrape.",
            Scale.rising(1)),
        count(
            "Sources that hang",
            "sum(lapwing_source_hung{node})",
            "Calls into a driver, a device or a file that have been out for longer than the deadline. The hang is the"
                + " finding; the agent goes on.",
            Scale.rising(1)),
        count(
            "Collectors that fail",
            "sum(max by (cluster, instance, collector) (lapwing_collector_success{node} == bool 0))",
            "Collectors whose last run failed on some source.",
            Scale.rising(1)),
        count(
            "Judges that stand still",
            """
            sum(max by (cluster, instance) (
              time() - lapwing_health_evaluation_timestamp_seconds{node} > bool 120))
            """,
            "Agents that have judged nothing for two minutes: their verdict is old.",
            Scale.rising(1)),
        count(
            "Logs that are not kept",
            "sum(max by (cluster, instance) (lapwing_event_log_durable{node} == bool 0))",
            "Agents whose events do not outlive them, since the state directory cannot be written.",
            Scale.rising(1)),
        count(
            "Deaf to the kernel",
            "sum(max by (cluster, instance) (lapwing_kernel_log_readable{node} == bool 0))",
            "Agents that cannot read the kernel log, and so miss XIDs that NVML does not tell.",
            Scale.rising(1)),
        count(
            "Findings left out",
            "sum(max by (cluster, instance) (lapwing_health_findings_left_out{node}))",
            "Findings for which the page had no room; /api/v1/health has them all.",
            Scale.rising(1)),
        Panel.table(
                "Sources that hang, and for how long",
                "A call that does not come back, by source, the longest first.",
                List.of(
                    Column.of("Value", "For", Unit.DURATION),
                    Column.node(),
                    Column.of("source", "Source")),
                Query.rows(
                    "sort_desc(max by (cluster, instance, source) (lapwing_source_hung_seconds{node} > 0))"))
            .size(8, 8)
            .whenEmpty("Nothing hangs"),
        Panel.table(
                "Collectors that fail",
                "Collectors whose last run failed, by how long ago one succeeded.",
                List.of(
                    Column.of("Value", "For", Unit.DURATION),
                    Column.node(),
                    Column.of("collector", "Collector")),
                Query.rows(
                    """
                    sort_desc(time() - max by (cluster, instance, collector) (
                      lapwing_collector_last_success_timestamp_seconds{node} and lapwing_collector_success{node} == 0))
                    """))
            .size(8, 8)
            .whenEmpty("Every collector succeeds"),
        Panel.table(
                "Versions",
                "How many agents run each version. One fleet, one version.",
                List.of(
                    Column.of("Value", "Agents", Unit.COUNT),
                    Column.of("version", "Version"),
                    Column.of("revision", "Revision"),
                    Column.of("java_version", "Java")),
                Query.rows(
                    "sort_desc(count by (version, revision, java_version) (lapwing_build_info{node}))"))
            .size(8, 8));
  }

  private static Panel count(String title, String expr, String description, Scale scale) {
    return Panel.stat(title, description, Unit.COUNT, Query.latest(expr, "")).scale(scale);
  }

  static Row collectors() {
    return Row.of(
        "What they read",
        Panel.lines(
                "Reads that failed",
                "Reads a second that failed, by collector and reason, over all agents.",
                Unit.PER_SECOND,
                Query.lines(
                    """
                    sum by (collector, reason) (
                      rate(lapwing_collector_read_errors_total{node}[$__rate_interval])) > 0
                    """,
                    "{{collector}} {{reason}}"))
            .size(8, 8)
            .from(0)
            .whenEmpty("No read failed"),
        Panel.lines(
                "How long a collector takes",
                "The last run of each collector on the node where it took longest.",
                Unit.SECONDS,
                Query.lines(
                    "max by (collector) (lapwing_collector_duration_seconds{node})",
                    "{{collector}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Sources that are overdue",
                "Sources on which a collector should have run again by now, by node.",
                Unit.COUNT,
                Query.lines(
                    "sum by (instance) (lapwing_collector_overdue_sources{node})", "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Messages of the kernel that were lost",
                "Messages a second that the kernel overwrote before they were read.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (instance) (rate(lapwing_kernel_log_lost_messages_total{node}[$__rate_interval]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Events that did not reach the disk",
                "Events a second that the log could not write.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (instance) (rate(lapwing_event_log_dropped_total{node}[$__rate_interval]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Restarts",
                "How often the agent of a node started within the hour before.",
                Unit.COUNT,
                Query.lines(
                    "max by (instance) (changes(process_start_time_seconds{node, job=\"lapwing\"}[1h]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0));
  }
}
