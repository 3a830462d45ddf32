package io.lapwing.dashboards;

import java.util.List;

/** What the GPUs are used for, what idle ones cost, and which nodes come back again and again. */
final class FleetCostRows {

  private FleetCostRows() {}

  static Row use() {
    return Row.of(
        "What the GPUs are for",
        Panel.lines(
                "Given away, busy, useful",
                "Of all GPUs: the share that somebody holds, the share of time their SMs had work, and the mean model"
                    + " FLOPs utilisation of those that train. Three different numbers.",
                Unit.RATIO,
                Query.lines(
                    "sum(cluster:lapwing_gpus:allocated{cluster}) / sum(cluster:lapwing_gpus:sum{cluster})",
                    "given away"),
                Query.lines(
                    "avg(cluster:lapwing_gpu_sm_active:ratio_rate5m{cluster})", "SMs active"),
                Query.lines("avg(cluster:lapwing_training_mfu:avg{cluster})", "model FLOPs"))
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "GPUs: all, given away, given away and idle",
                "How many GPUs there are, how many somebody holds, and how many of those compute nothing.",
                Unit.COUNT,
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:sum{cluster})", "{{cluster}} all"),
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:allocated{cluster})",
                    "{{cluster}} given away"),
                Query.lines(
                    "sum by (cluster) (cluster:lapwing_gpus:idle{cluster})", "{{cluster}} idle"))
            .size(8, 8)
            .from(0),
        Panel.table(
                "Nodes with idle GPUs",
                "GPUs that somebody holds and that compute nothing, by what that costs an hour, the most first.",
                List.of(
                    Column.of("Value #A", "An hour", Unit.DOLLARS),
                    Column.node(),
                    Column.of("instance_type", "Type"),
                    Column.of("Value #B", "Idle now", Unit.COUNT),
                    Column.of("Value #C", "Given away", Unit.COUNT)),
                Query.rows("sort_desc(instance:lapwing_gpu_idle_cost_dollars:rate1h{type} > 0)"),
                idle("instance:lapwing_gpus:idle"),
                idle("instance:lapwing_gpus:allocated"))
            .size(8, 8)
            .whenEmpty("No GPU that somebody holds was idle"));
  }

  private static Query idle(String family) {
    return Query.rows(
        "max by (cluster, instance, instance_type) ("
            + family
            + "{type}) and on (cluster, instance) instance:lapwing_gpu_idle_cost_dollars:rate1h{type} > 0");
  }

  static Row offenders() {
    return Row.of(
        "Lemons, and what has hit many at once",
        Panel.table(
                "Repeat offenders in 30 days",
                "Machines by how often, after an hour without, a finding asked for a reset, a reboot or a replacement"
                    + " of the hardware. What takes a machine's place begins at none.",
                List.of(
                    Column.of("Value", "Episodes", Unit.COUNT).scale(Scale.rising(2, 3)),
                    Column.node(),
                    Column.of("instance_id", "Instance"),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    "sort_desc(last_over_time(instance:lapwing_hardware_episodes:count30d{cluster}[2h]) > 0)"))
            .whenEmpty("No node in 30 days"),
        Panel.table(
                "Rules by how many nodes they hit",
                "One rule on many nodes at once is seldom the nodes: look at what they share, such as a driver, a"
                    + " switch, a file system or a job.",
                List.of(
                    Column.of("Value", "Nodes", Unit.COUNT),
                    Column.of("rule", "Rule"),
                    Column.of("severity", "Severity").scale(Scales.SEVERITY),
                    Column.of("cluster", "Cluster")),
                Query.rows("sort_desc(cluster:lapwing_nodes:by_rule{cluster})"))
            .whenEmpty("No rule found anything"));
  }
}
