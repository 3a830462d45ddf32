package io.lapwing.dashboards;

import java.util.List;

/** GPU usage, cost of idle GPUs, and repeat offenders. */
final class FleetCostRows {

  private FleetCostRows() {}

  static Row use() {
    return Row.of(
        "GPU usage and cost",
        Panel.lines(
                "Allocated vs SM active vs MFU",
                "Share of all GPUs that are allocated, share of time with SM activity, and mean"
                    + " model FLOPs utilization of training jobs.",
                Unit.RATIO,
                Query.lines(
                    "sum(cluster:lapwing_gpus:allocated{cluster}) / sum(cluster:lapwing_gpus:sum{cluster})",
                    "allocated"),
                Query.lines(
                    "avg(cluster:lapwing_gpu_sm_active:ratio_rate5m{cluster})", "SMs active"),
                Query.lines("avg(cluster:lapwing_training_mfu:avg{cluster})", "MFU"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "GPUs: total, allocated, allocated and idle",
                "Number of GPUs, of allocated GPUs, and of allocated GPUs that are idle.",
                Unit.COUNT,
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:sum{cluster})", "{{cluster}} total"),
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:allocated{cluster})",
                    "{{cluster}} allocated"),
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:idle{cluster})", "{{cluster}} idle"))
            .size(8, 8)
            .from(0),
        Panel.table(
                "Nodes with idle GPUs",
                "Allocated GPUs that are idle, by their cost per hour, highest first.",
                List.of(
                    Column.of("Value #A", "Cost per hour", Unit.DOLLARS),
                    Column.node(),
                    Column.of("instance_type", "Type"),
                    Column.of("Value #B", "Idle now", Unit.COUNT),
                    Column.of("Value #C", "Allocated", Unit.COUNT)),
                Query.rows("sort_desc(instance:lapwing_gpu_idle_cost_dollars:rate1h{type} > 0)"),
                idle("instance:lapwing_gpus:idle"),
                idle("instance:lapwing_gpus:allocated"))
            .size(8, 8)
            .whenEmpty("No allocated GPU was idle"));
  }

  private static Query idle(String family) {
    return Query.rows(
        "max by (cluster, instance, instance_type) ("
            + family
            + "{type}) and on (cluster, instance) instance:lapwing_gpu_idle_cost_dollars:rate1h{type} > 0");
  }

  static Row offenders() {
    return Row.of(
        "Repeat offenders and fleet-wide findings",
        Panel.table(
                "Repeat offenders in 30 days",
                "Machines by the number of separate episodes in which a finding asked for a"
                    + " reset, a reboot or a replacement of the hardware. A replacement machine"
                    + " starts at 0.",
                List.of(
                    Column.of("Value", "Episodes", Unit.COUNT).scale(Scale.rising(2, 3)),
                    Column.node(),
                    Column.of("instance_id", "Instance"),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    "sort_desc(last_over_time(instance:lapwing_hardware_episodes:count30d{cluster}[2h]) > 0)"))
            .whenEmpty("No node in 30 days"),
        Panel.table(
                "Rules by number of affected nodes",
                "The same finding on many nodes usually has a shared cause, such as a driver, a"
                    + " switch, a file system or a job.",
                List.of(
                    Column.of("Value", "Nodes", Unit.COUNT),
                    Column.of("rule", "Rule"),
                    Column.of("severity", "Severity").scale(Scales.SEVERITY),
                    Column.of("cluster", "Cluster")),
                Query.rows("sort_desc(cluster:lapwing_nodes:by_rule{cluster})"))
            .whenEmpty("No findings"));
  }
}
