package io.lapwing.dashboards;

import java.util.List;

/** Capacity and demand of each partition or node group now. */
final class QueueNowRow {

  static final String OVERLAP =
      " A node of two partitions counts in both: choose one group where partitions overlap.";

  static final Scale LAYER =
      Scale.PLAIN
          .word("reservation", "reservation", "purple")
          .word("provisioning", "provisioning", "orange")
          .word("scheduling", "scheduling", "blue")
          .word("workload", "workload", "gray")
          .word("unknown", "unknown", "gray");

  private static final Scale LOST = Scale.rising(0.1, 0.2);

  private QueueNowRow() {}

  static Row now() {
    return Row.of(
        "Now",
        gpus("Allocated", "allocated", "GPUs of jobs on nodes in service.", Scale.PLAIN),
        gpus("Free", "free", "GPUs of nodes in service without any job.", Scale.PLAIN),
        gpus(
            "Fragmented",
            "fragmented",
            "Free GPUs beside a job of the same node: no job of whole nodes can use them.",
            Scale.PLAIN),
        gpus(
            "Out of service",
            "out_of_service",
            "GPUs of nodes that are drained, down or do not answer.",
            Scale.below("green").from("yellow", 1)),
        gpus(
            "Returnable",
            "returnable",
            "Of the GPUs out of service, those on nodes without a job: what a job would gain if"
                + " they came back.",
            Scale.PLAIN),
        number(
            "Largest job that fits",
            "max(lapwing_drain_group_largest_gang_gpus{group})",
            "GPUs of the largest job of whole nodes that could start now.",
            Unit.COUNT),
        number(
            "Wanted",
            "sum(max by (cluster, group, account, layer) (lapwing_drain_queue_gpus{group}))",
            "GPUs that waiting jobs want.",
            Unit.COUNT),
        number(
            "Oldest wait",
            "max(lapwing_drain_queue_oldest_wait_seconds{group})",
            "Time since the job that waits longest may start.",
            Unit.DURATION),
        Panel.table(
                "Partitions and node groups",
                "GPUs of each group by what they do, the share out of service, and what jobs want"
                    + " there. A job for several partitions is in a line of its own.",
                List.of(
                    Column.of("group", "Group"),
                    Column.of("Value #A", "Wanted", Unit.COUNT),
                    Column.of("Value #B", "Free", Unit.COUNT),
                    Column.of("Value #C", "Fits", Unit.COUNT),
                    Column.of("Value #D", "Fragmented", Unit.COUNT),
                    Column.of("Value #E", "Allocated", Unit.COUNT),
                    Column.of("Value #F", "Out", Unit.RATIO).scale(LOST),
                    Column.of("Value #G", "Oldest wait", Unit.DURATION),
                    Column.of("cluster", "Cluster")),
                Query.rows("sort_desc(sum by (cluster, group) (lapwing_drain_queue_gpus{group}))"),
                state("free"),
                Query.rows(
                    "max by (cluster, group) (lapwing_drain_group_largest_gang_gpus{group})"),
                state("fragmented"),
                state("allocated"),
                Query.rows(lost()),
                Query.rows(
                    "max by (cluster, group) (lapwing_drain_queue_oldest_wait_seconds{group})"))
            .size(13, 9)
            .whenEmpty("The drain controller does not report a group"),
        Panel.table(
                "Why jobs wait",
                "Waiting jobs by account and by what they wait for: reservation is capacity that is"
                    + " not there or is kept for others, provisioning nodes that cannot work,"
                    + " scheduling their turn, workload themselves. Of a job: lapwing-drain why"
                    + " JOB.",
                List.of(
                    Column.of("Value #A", "GPUs", Unit.COUNT),
                    Column.of("Value #B", "Jobs", Unit.COUNT),
                    Column.of("layer", "Waits for").scale(LAYER),
                    Column.of("account", "Account"),
                    Column.of("group", "Group"),
                    Column.of("Value #C", "Oldest wait", Unit.DURATION)),
                Query.rows("sort_desc(" + by("sum", "queue_gpus") + ")"),
                Query.rows(by("sum", "queue_jobs")),
                Query.rows(by("max", "queue_oldest_wait_seconds")))
            .size(11, 9)
            .whenEmpty("No job waits"));
  }

  /** Of each group, the share of its GPUs that is out of service. */
  static String lost() {
    return """
    max by (cluster, group) (lapwing_drain_group_gpus{group, state="out_of_service"})
      / on (cluster, group) (sum by (cluster, group) (
        max by (cluster, group, state) (lapwing_drain_group_gpus{group, state!="returnable"})) > 0)
    """;
  }

  private static String by(String operator, String family) {
    return operator + " by (cluster, group, account, layer) (lapwing_drain_" + family + "{group})";
  }

  private static Query state(String state) {
    return Query.rows(
        "max by (cluster, group) (lapwing_drain_group_gpus{group, state=\"" + state + "\"})");
  }

  private static Panel gpus(String title, String state, String description, Scale scale) {
    return Panel.stat(
            title,
            description + OVERLAP,
            Unit.COUNT,
            Query.latest(
                "sum(max by (cluster, group) (lapwing_drain_group_gpus{group, state=\""
                    + state
                    + "\"}))",
                ""))
        .scale(scale);
  }

  private static Panel number(String title, String expr, String description, Unit unit) {
    return Panel.stat(title, description, unit, Query.latest(expr, "")).whenEmpty("None");
  }
}
