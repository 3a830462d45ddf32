package io.lapwing.dashboards;

import java.util.List;

/** Whether the drain controller works, and what waits for whom. */
final class DrainNowRow {

  private static final Scale BLIND =
      Scale.rising(1).word(0, "seen", "green").word(1, "cannot be seen", "red");

  private static final Scale JOURNAL =
      Scale.rising(1).word(0, "written", "green").word(1, "failing", "red");

  private static final Scale PAUSED =
      Scale.below("green").from("orange", 1).word(0, "off", "green").word(1, "on", "orange");

  private static final Scale MODE =
      Scale.PLAIN
          .word("act", "act", "green")
          .word("dry-run", "dry run", "blue")
          .word("observe", "observe", "blue");

  private DrainNowRow() {}

  static Row now() {
    return Row.of(
        "Now",
        state(
            "Scheduler",
            "min(lapwing_drain_scheduler_blind{cluster})",
            "Whether the controller can read nodes and jobs. Without them it does nothing.",
            BLIND),
        state(
            "Journal",
            "max(lapwing_drain_journal_failing{cluster})",
            "Whether the controller can write its journal. What it cannot record first, it does not"
                + " do.",
            JOURNAL),
        state(
            "Kill switch",
            "max(lapwing_drain_paused{cluster})",
            "Whether a person stopped the controller.",
            PAUSED),
        state(
            "Nodes held",
            "sum(max by (cluster) (lapwing_drain_held_nodes{cluster}))",
            "Nodes that are out of service because of the controller.",
            Scale.PLAIN),
        state(
            "Waiting for a person",
            "sum(max by (cluster) (lapwing_drain_waiting_for_person{cluster})"
                + " + max by (cluster) (lapwing_drain_orphaned_nodes{cluster}))",
            "Nodes for which the controller goes on only when a person acts: lapwing-drain status"
                + " lists them.",
            Scale.rising(1)),
        state(
            "Waiting to be drained",
            "sum(max by (cluster) (lapwing_drain_remediations{cluster, phase=\"requested\"}))",
            "Nodes that were requested and are not taken yet.",
            Scale.below("green").from("yellow", 1)),
        state(
            "Rules on many nodes",
            "sum(max by (cluster) (lapwing_drain_systemic_rules{cluster}))",
            "Rules that are on so many nodes at once that no node is taken for them.",
            Scale.rising(1)),
        Panel.stat(
                "Held longest",
                "Time since the node was taken that the controller has held longest.",
                Unit.DURATION,
                Query.latest(
                    "max(time() - lapwing_drain_held_since_timestamp_seconds{cluster})", ""))
            .scale(Scale.rising(86_400, 172_800))
            .whenEmpty("None"),
        Panel.table(
                "Open remediations",
                "Where the nodes are that were requested, by phase.",
                List.of(
                    Column.of("Value", "Nodes", Unit.COUNT).width(80),
                    Column.of("phase", "Phase"),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    "sort_desc(max by (cluster, phase) (lapwing_drain_remediations{cluster}) > 0)"))
            .size(6, 7)
            .whenEmpty("No node is requested"),
        Panel.table(
                "Limits that are reached",
                "Limits that let no further node be taken. A person or time opens them:"
                    + " lapwing-drain status has the numbers.",
                List.of(Column.of("limit", "Limit"), Column.of("cluster", "Cluster")),
                Query.rows("max by (cluster, limit) (lapwing_drain_brake_closed{cluster}) == 1"))
            .size(5, 7)
            .whenEmpty("No limit is reached"),
        Panel.table(
                "Modes",
                "How far the controller goes with each action.",
                List.of(
                    Column.of("verb", "Action"),
                    Column.of("mode", "Mode").scale(MODE),
                    Column.of("cluster", "Cluster")),
                Query.rows("max by (cluster, verb, mode) (lapwing_drain_mode{cluster})"))
            .size(5, 7),
        Panel.table(
                "Alerts",
                "Alerts on the controller, capacity and the queue that fire now.",
                List.of(
                    Column.of("severity", "Severity").scale(Scales.ALERT).width(90),
                    Column.of("alertname", "Alert").link(Link.RUNBOOK),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    """
                    count by (severity, alertname, cluster) (ALERTS{cluster, alertstate="firing",
                      alertname=~"LapwingDrain.*|LapwingCapacityOutOfService|LapwingGpusFreeWhileJobsWait"})
                    """))
            .size(8, 7)
            .whenEmpty("No alert fires"));
  }

  private static Panel state(String title, String expr, String description, Scale scale) {
    return Panel.stat(title, description, Unit.COUNT, Query.latest(expr, "")).scale(scale);
  }
}
