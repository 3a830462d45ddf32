package io.lapwing.dashboards;

import java.util.List;

/** The nodes to act on: which, what to do, when, what runs there, and whether it is drained. */
final class FleetNowRow {

  private FleetNowRow() {}

  static Row now() {
    return Row.of(
        "Nodes, findings and actions",
        nodes("failing", "red", "not fit for work"),
        nodes("unknown", "purple", "data that is needed to evaluate health is missing"),
        nodes("degraded", "yellow", "the node works, with a fault"),
        nodes("healthy", "green", "the node has no finding"),
        Panel.stat(
                "No answer",
                "Nodes that Prometheus could not scrape. The cause is the node, its agent, or the"
                    + " network between.",
                Unit.COUNT,
                Query.latest("count(" + Verdicts.silent() + ") or vector(0)", ""))
            .scale(Scale.rising(1)),
        Panel.stat(
                "Jobs affected",
                "Jobs with GPUs on a node that is failing, unknown or does not answer.",
                Unit.COUNT,
                Query.latest(
                    """
                    count(count by (cluster, job_id) (
                      last_over_time(instance_job_id:lapwing_gpus:allocated{cluster}[15m])
                        and on (cluster, instance) (instance:lapwing_node_verdict:code{type} > 1 or on (cluster, instance) %s)))
                      or vector(0)
                    """
                        .formatted(Verdicts.silent()),
                    ""))
            .scale(Scale.rising(1)),
        Panel.stat(
                "Idle GPU cost ($/h)",
                "Cost per hour of GPUs that are allocated and idle, by the price table in"
                    + " fleet.yml.",
                Unit.DOLLARS,
                Query.latest(
                    "sum(cluster_instance_type:lapwing_gpu_idle_cost_dollars:rate1h{type})", ""))
            .decimals(2),
        Panel.stat(
            "GPUs",
            "GPUs that the nodes should have, lost ones included; of a node of an unknown type those"
                + " that its driver has reported.",
            Unit.COUNT,
            Query.latest("sum(cluster_instance_type:lapwing_gpus:sum{type})", "")),
        table());
  }

  private static Panel nodes(String verdict, String color, String meaning) {
    return Panel.stat(
            Character.toUpperCase(verdict.charAt(0)) + verdict.substring(1),
            "Nodes with the verdict " + verdict + ": " + meaning + ".",
            Unit.COUNT,
            Query.latest(
                "sum(cluster_instance_type:lapwing_nodes:by_verdict{type, verdict=\""
                    + verdict
                    + "\"})",
                ""))
        .scale(
            verdict.equals("healthy") ? Scale.below("green") : Scale.below("green").from(color, 1));
  }

  private static Panel table() {
    return Panel.table(
            "Nodes to act on",
            "A row for each node with a verdict that is chosen above, and for each that does not"
                + " answer, most urgent first: what to do and when, the first finding that asks for"
                + " it and how many more there are, the job, and whether the scheduler still uses"
                + " the node (by prometheus-slurm-exporter or kube-state-metrics, if Prometheus"
                + " scrapes one of them; empty otherwise). For: since the verdict, or since the last"
                + " scrape that a node answered, within a day. Click the name for the evidence.",
            List.of(
                Column.of("Value #A", "Action").scale(Scales.URGENCY).width(180),
                Column.of("Value #B", "Due")
                    .scale(
                        Scale.PLAIN
                            .word(2, "now", "red")
                            .word(1, "at the end of the job", "yellow"))
                    .width(140),
                Column.node(),
                Column.rule(),
                Column.of("subject", "On"),
                Column.of("gpu", "GPU").width(50),
                Column.of("Value #D", "More", Unit.MORE).width(60),
                Column.of("Value #E", "For", Unit.DURATION),
                Column.job(),
                Column.of("user", "User"),
                Column.of("Value #G", "Scheduler")
                    .scale(
                        Scale.PLAIN
                            .word(0, "in service", "orange")
                            .word(1, "cordoned", "green")
                            .word(2, "drained", "green")
                            .word(3, "down", "green"))
                    .width(90),
                Column.of("instance_type", "Type"),
                Column.of("instance_id", "Instance"),
                Column.of("availability_zone", "Zone"),
                Column.of("Value #I", "Simulated")
                    .scale(Scale.PLAIN.word(1, "SIMULATED", "blue"))
                    .width(90)),
            Query.rows("sort_desc(" + Verdicts.urgency() + ")"),
            Query.rows(
                """
                max by (cluster, instance) (
                  2 * lapwing_node_action_urgency{cluster, urgency="now"} or lapwing_node_action_urgency{cluster, urgency="job_end"})
                  and on (cluster, instance) %s
                """
                    .formatted(Verdicts.chosen())),
            Query.rows(Verdicts.firstFinding()),
            Query.rows(
                """
                (count by (cluster, instance) (lapwing_health_finding{cluster, severity!="info", test=""}) - 1 > 0)
                  and on (cluster, instance) %s
                """
                    .formatted(Verdicts.chosen())),
            Query.rows(
                """
                (max by (cluster, instance) (time() - lapwing_node_verdict_since_timestamp_seconds{cluster})
                  and on (cluster, instance) %s)
                  or on (cluster, instance) %s
                """
                    .formatted(Verdicts.chosen(), Verdicts.silentFor())),
            Query.rows(
                """
                topk by (cluster, instance) (1,
                  max by (cluster, instance, job_id, user) (last_over_time(lapwing_gpu_job_info{cluster}[15m])))
                  and on (cluster, instance) %s
                """
                    .formatted(Verdicts.actedOn())),
            Query.rows(scheduler()),
            Query.rows(
                """
                max by (cluster, instance, instance_type, instance_id, availability_zone) (
                  lapwing_node_info{cluster} or on (cluster, instance) last_over_time(lapwing_node_info{cluster}[1h]))
                  and on (cluster, instance) %s
                """
                    .formatted(Verdicts.actedOn())),
            Query.rows(
                "max by (cluster, instance) (lapwing_simulated{cluster} == 1) and on (cluster, instance) "
                    + Verdicts.chosen()))
        .size(24, 10)
        .whenEmpty("Every node answers, and no node has a verdict that is chosen above");
  }

  /**
   * By the name of the node alone: the other exporters need not have the label cluster. 0 in
   * service, 1 cordoned, 2 drained or draining, 3 down.
   */
  private static String scheduler() {
    return """
        0 * %1$s + on (instance) group_left () (
          max by (instance) (label_replace(
            3 * (slurm_node_cpu_total{status=~"down.*"} >= bool 0)
              or 2 * (slurm_node_cpu_total{status=~"drain.*|drng.*|maint.*"} >= bool 0)
              or 0 * slurm_node_cpu_total
              or kube_node_spec_unschedulable,
            "instance", "$1", "node", "(.*)")))
        """
        .formatted(Verdicts.actedOn());
  }
}
