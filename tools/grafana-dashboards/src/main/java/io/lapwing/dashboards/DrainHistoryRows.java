package io.lapwing.dashboards;

import java.util.List;

/** The past operations of the drain controller, their duration, and who requested them. */
final class DrainHistoryRows {

  private static final Scale CLOSED =
      Scale.below("green").from("orange", 1).word(0, "open", "green").word(1, "reached", "orange");

  private static final Scale RESULT =
      Scale.PLAIN
          .word("refused", "refused", "red")
          .word("unclear", "unclear", "orange")
          .word("begun", "begun", "green");

  private DrainHistoryRows() {}

  static Row history() {
    return Row.of(
        "Nodes",
        Panel.lines(
                "Nodes by service",
                "Nodes of the cluster: in service, drained or draining, and out (down, failed or"
                    + " in maintenance), whoever took them.",
                Unit.COUNT,
                Query.lines(
                    "sum by (service) (max by (cluster, service) (lapwing_drain_nodes{cluster}))",
                    "{{service}}"))
            .size(8, 8)
            .stacked()
            .from(0),
        Panel.lines(
                "Remediations by phase",
                "Open remediations. handed_over is a node that a person has to repair.",
                Unit.COUNT,
                Query.lines(
                    """
                    sum by (phase) (max by (cluster, phase) (lapwing_drain_remediations{cluster})) > 0
                    """,
                    "{{phase}}"))
            .size(8, 8)
            .stacked()
            .from(0)
            .whenEmpty("No node was requested"),
        Panel.states(
                "Limits",
                "When a limit let no further node be taken.",
                CLOSED,
                Query.lines("max by (limit) (lapwing_drain_brake_closed{cluster})", "{{limit}}"))
            .size(8, 8));
  }

  static Row times() {
    return Row.of(
        "Results within the time range",
        time(
            "Request to out of service",
            "time_to_quarantine",
            "Time from a request to a node out of service, median and 90th percentile within the"
                + " time range, precise to the bounds of the histogram."),
        time(
            "Out of service to jobs gone",
            "jobs_left",
            "Time from a node out of service to its last job gone, median and 90th percentile"
                + " within the time range."),
        time(
            "Out of service to return",
            "out_of_service",
            "Time from a node out of service to its return, median and 90th percentile within the"
                + " time range."),
        Panel.table(
                "Ended remediations",
                "Remediations that ended within the time range.",
                List.of(
                    Column.of("Value", "Nodes", Unit.COUNT).width(80),
                    Column.of("result", "Result"),
                    Column.of("cluster", "Cluster")),
                counted("cluster, result", "lapwing_drain_remediations_ended_total{cluster}"))
            .size(8, 7)
            .whenEmpty("None ended"),
        Panel.table(
                "Repairs",
                "Resets, reboots and replacements within the time range. A refused one is tried again;"
                    + " no stronger one follows it.",
                List.of(
                    Column.of("Value", "Repairs", Unit.COUNT).width(80),
                    Column.of("verb", "Action"),
                    Column.of("result", "Result").scale(RESULT),
                    Column.of("cluster", "Cluster")),
                counted("cluster, verb, result", "lapwing_drain_repairs_total{cluster}"))
            .size(8, 7)
            .whenEmpty("No repairs"),
        Panel.table(
                "Requests",
                "Messages and alerts within the time range, by where they came from and what became"
                    + " of them.",
                List.of(
                    Column.of("Value", "Messages", Unit.COUNT).width(90),
                    Column.of("source", "Source"),
                    Column.of("result", "Result"),
                    Column.of("cluster", "Cluster")),
                counted("cluster, source, result", "lapwing_drain_requests_total{cluster}"))
            .size(8, 7)
            .whenEmpty("No requests"));
  }

  private static Panel time(String title, String family, String description) {
    return Panel.stat(
            title, description, Unit.DURATION, quantile("0.5", family), quantile("0.9", family))
        .size(8, 4)
        .whenEmpty("None");
  }

  private static Query quantile(String share, String family) {
    return Query.latest(
        """
        histogram_quantile(%s, sum by (le) (increase(lapwing_drain_%s_seconds_bucket{cluster}[$__range])))
        """
            .formatted(share, family),
        share.equals("0.5") ? "median" : "p90");
  }

  private static Query counted(String labels, String counter) {
    return Query.rows(
        "sort_desc(round(sum by (%s) (increase(%s[$__range]))) > 0)".formatted(labels, counter));
  }

  static Row requests() {
    return Row.folded(
        "Requests over time",
        Panel.lines(
                "Messages by result",
                "Messages and alerts per second, by source and result.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (source, result) (rate(lapwing_drain_requests_total{cluster}[$__rate_interval]))",
                    "{{source}} {{result}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "HTTP requests",
                "HTTP requests per second, by handler and status code.",
                Unit.REQUESTS_PER_SECOND,
                Query.lines(
                    "sum by (handler, code) (rate(lapwing_drain_http_requests_total{cluster}[$__rate_interval]))",
                    "{{handler}} {{code}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Rejected HTTP requests",
                "HTTP requests per second that the controller rejected because too many were in"
                    + " progress.",
                Unit.REQUESTS_PER_SECOND,
                Query.lines(
                    "sum(rate(lapwing_drain_http_requests_rejected_total{cluster}[$__rate_interval]))",
                    "rejected"))
            .size(8, 8)
            .from(0));
  }
}
