package io.lapwing.dashboards;

import java.util.List;

/** Failures of the agents: hung sources, failing collectors, lost events. */
final class AgentSightRows {

  private AgentSightRows() {}

  static Row now() {
    return Row.of(
        "Agent health",
        count(
                "Agents",
                "count(max by (cluster, instance) (lapwing_build_info{node}))",
                "Agents that were scraped.",
                Scale.PLAIN)
            .size(2, 4),
        count(
                "Simulated nodes",
                "sum(max by (cluster, instance) (lapwing_simulated{node}))",
                "Simulated nodes. Their values are not real; a production cluster should have 0.",
                Scale.below("green").from("blue", 1))
            .size(2, 4),
        count(
                "No answer",
                "sum(max by (cluster, instance) (up{node, job=\"lapwing\"} == bool 0))",
                "Agents that did not answer at the last scrape.",
                Scale.rising(1))
            .size(2, 4),
        count(
            "Hung sources",
            "count(lapwing_source_hung_seconds{node}) or 0 * count(lapwing_build_info{node})",
            "Calls into a driver, a device or a file that have exceeded the deadline. The agent"
                + " reports them and continues with the other sources.",
            Scale.rising(1)),
        count(
            "Failing collectors",
            "sum(max by (cluster, instance, collector) (lapwing_collector_success{node} == bool 0))",
            "Collectors whose last run failed on at least one source.",
            Scale.rising(1)),
        count(
            "Health evaluation stalled",
            """
            sum(max by (cluster, instance) (
              time() - lapwing_health_evaluation_timestamp_seconds{node} > bool 120))
            """,
            "Agents without a health evaluation for two minutes: their verdict is stale.",
            Scale.rising(1)),
        count(
            "Event log not persistent",
            "sum(max by (cluster, instance) (lapwing_event_log_durable{node} == bool 0))",
            "Agents that cannot write to their state directory, so events are lost at a restart.",
            Scale.rising(1)),
        count(
            "Kernel log unreadable",
            "sum(max by (cluster, instance) (lapwing_kernel_log_readable{node} == bool 0))",
            "Agents that cannot read the kernel log and therefore miss XIDs that NVML does not"
                + " report.",
            Scale.rising(1)),
        count(
            "Findings truncated",
            "sum(max by (cluster, instance) (lapwing_health_findings_left_out{node}))",
            "Findings beyond the limit for /metrics; /api/v1/health lists all of them.",
            Scale.rising(1)),
        Panel.table(
                "Hung sources and duration",
                "Hung calls by source, longest first.",
                List.of(
                    Column.of("Value", "For", Unit.DURATION),
                    Column.node(),
                    Column.of("source", "Source")),
                Query.rows(
                    "sort_desc(max by (cluster, instance, source) (lapwing_source_hung_seconds{node} > 0))"))
            .size(8, 8)
            .whenEmpty("No hung sources"),
        Panel.table(
                "Failing collectors",
                "Collectors whose last run failed, by the time since the last successful run.",
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
            .whenEmpty("No failing collectors"),
        Panel.table(
                "Versions",
                "Number of agents per version. A fleet should run one version.",
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
    return Row.folded(
        "Collection",
        Panel.lines(
                "Failed reads",
                "Failed reads per second, by collector and reason, over all agents.",
                Unit.PER_SECOND,
                Query.lines(
                    """
                    sum by (collector, reason) (
                      rate(lapwing_collector_read_errors_total{node}[$__rate_interval])) > 0
                    """,
                    "{{collector}} {{reason}}"))
            .size(8, 8)
            .from(0)
            .whenEmpty("No failed reads"),
        Panel.lines(
                "Collector duration",
                "Duration of the last run of each collector, maximum over the nodes.",
                Unit.SECONDS,
                Query.lines(
                    "max by (collector) (lapwing_collector_duration_seconds{node})",
                    "{{collector}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Overdue sources",
                "Sources with an overdue collector run, by node.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, sum by (instance) (lapwing_collector_overdue_sources{node}"
                        + " or lapwing_collector_success{node} * 0))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Lost kernel messages",
                "Kernel log messages per second that were overwritten before the agent read them.",
                Unit.PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance) (rate(lapwing_kernel_log_lost_messages_total{node}[$__rate_interval])))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Events not written to disk",
                "Events per second that could not be written to the event log.",
                Unit.PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance) (rate(lapwing_event_log_dropped_total{node}[$__rate_interval])))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Restarts",
                "Agent starts of a node within the last hour.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, max by (instance) (changes(process_start_time_seconds{node, job=\"lapwing\"}[1h])))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0));
  }
}
