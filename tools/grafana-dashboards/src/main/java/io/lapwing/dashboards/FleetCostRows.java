package io.lapwing.dashboards;

import java.util.List;

/** GPU usage, cost of idle GPUs, and repeat offenders. */
final class FleetCostRows {

  private static final String BY = "cluster_instance_type:lapwing_";

  private FleetCostRows() {}

  static Row use() {
    return Row.folded(
        "GPU usage and cost",
        Panel.lines(
                "Allocated vs SM active vs MFU",
                "Share of all GPUs that are allocated, share of time with SM activity (of the GPUs"
                    + " that support it), and mean model FLOPs utilization of training jobs.",
                Unit.RATIO,
                Query.lines(
                    "sum(" + BY + "gpus:allocated{type}) / sum(" + BY + "gpus:sum{type})",
                    "allocated"),
                Query.lines(
                    """
                    sum(%1$sgpu_sm_active:ratio_rate5m{type} * %1$sgpus:sum{type})
                      / sum(%1$sgpus:sum{type} and %1$sgpu_sm_active:ratio_rate5m{type})
                    """
                        .formatted(BY),
                    "SMs active"),
                Query.lines(
                    """
                    sum(%1$straining_mfu:avg{type} * %1$straining_mfu_share:sum{type})
                      / sum(%1$straining_mfu_share:sum{type})
                    """
                        .formatted(BY),
                    "MFU"),
                Unsupported.ofType())
            .size(8, 8)
            .between(0, 1),
        Panel.lines(
                "GPUs: total, allocated, allocated and idle",
                "Number of GPUs, of allocated GPUs, and of allocated GPUs that are idle.",
                Unit.COUNT,
                Query.lines("sum by (cluster) (" + BY + "gpus:sum{type})", "{{cluster}} total"),
                Query.lines(
                    "sum by (cluster) (" + BY + "gpus:allocated{type})", "{{cluster}} allocated"),
                Query.lines("sum by (cluster) (" + BY + "gpus:idle{type})", "{{cluster}} idle"))
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
                    Column.of("Value #C", "Allocated", Unit.COUNT),
                    Column.job(),
                    Column.of("user", "User")),
                Query.rows(idle()),
                ofIdle("max by (cluster, instance) (instance:lapwing_gpus:idle{type})"),
                ofIdle("max by (cluster, instance) (instance:lapwing_gpus:allocated{type})"),
                ofIdle(
                    "topk by (cluster, instance) (1, max by (cluster, instance, job_id, user) (lapwing_gpu_job_info{cluster}))"))
            .size(8, 8)
            .whenEmpty("No allocated GPU was idle"));
  }

  private static String idle() {
    return "topk($top, instance:lapwing_gpu_idle_cost_dollars:rate1h{type} > 0)";
  }

  private static Query ofIdle(String expr) {
    return Query.rows(expr + " and on (cluster, instance) " + idle());
  }

  static Row offenders() {
    return Row.folded(
        "Repeat offenders and fleet-wide findings",
        Panel.table(
                "Repeat offenders in 30 days",
                "Machines with two or more separate episodes in which a finding asked for a reset,"
                    + " a reboot or a replacement of the hardware. A replacement machine starts at"
                    + " 0.",
                List.of(
                    Column.of("Value", "Episodes", Unit.COUNT).scale(Scale.rising(2, 3)),
                    Column.node(),
                    Column.of("instance_id", "Instance"),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    "sort_desc("
                        + Selectors.ofType(
                            "last_over_time(instance:lapwing_hardware_episodes:count30d{cluster}[2h]) >= 2")
                        + ")"))
            .whenEmpty("No node with two episodes in 30 days"),
        Panel.table(
                "Rules by number of affected nodes",
                "Rules with findings on three or more nodes, which usually have a shared cause,"
                    + " such as a driver, a switch, a file system or a job.",
                List.of(
                    Column.of("Value", "Nodes", Unit.COUNT),
                    Column.rule(),
                    Column.of("severity", "Severity").scale(Scales.SEVERITY),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    "sort_desc(sum by (cluster, rule, severity) ("
                        + BY
                        + "nodes:by_rule{type}) >= 3)"))
            .whenEmpty("No finding on three or more nodes"));
  }
}
