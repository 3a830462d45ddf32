package io.lapwing.dashboards;

import java.util.List;

/** NVLink domains that span nodes, such as UltraServers: their nodes share switches and cables. */
final class FleetDomainRow {

  private static final String DOMAIN = "cluster, cluster_uuid, clique_id";

  private FleetDomainRow() {}

  static Row domains() {
    return Row.folded(
        "NVLink domains",
        Panel.table(
                "Domains",
                "Cliques of NVLink domains, those with findings first. Links missing: NVLinks that"
                    + " should be up by the instance type and are not. Several nodes of a clique"
                    + " with findings have one cause more often than not: a switch, a cable, the"
                    + " fabric manager. A GPU that"
                    + " has left its domain counts for an hour. GPUs that form no domain with other nodes"
                    + " have none.",
                List.of(
                    Column.of("Value #B", "Nodes", Unit.COUNT).width(70),
                    Column.of("Value #C", "GPUs", Unit.COUNT).width(70),
                    Column.of("Value #A", "Nodes with findings", Unit.COUNT)
                        .scale(Scale.below("green").from("yellow", 1).from("red", 2))
                        .width(140),
                    Column.of("Value #D", "Links missing", Unit.COUNT)
                        .scale(Scale.rising(1))
                        .width(110),
                    Column.of("clique_id", "Clique").width(70),
                    Column.of("cluster_uuid", "Domain"),
                    Column.of("cluster", "Cluster")),
                Query.rows(
                    """
                    sort_desc(count by (%s) (instance_clique:lapwing_nvlink_findings:max{cluster})
                      or on (%s) 0 * count by (%s) (%s))
                    """
                        .formatted(DOMAIN, DOMAIN, DOMAIN, gpus())),
                Query.rows(
                    "count by (%s) (count by (cluster, instance, cluster_uuid, clique_id) (%s))"
                        .formatted(DOMAIN, gpus())),
                Query.rows("count by (%s) (%s)".formatted(DOMAIN, gpus())),
                Query.rows("sum by (%s) (%s)".formatted(DOMAIN, missing())))
            .size(12, 8)
            .whenEmpty("No node is part of an NVLink domain"),
        Panel.table(
                "Nodes of the domains",
                "The nodes of each domain within the last hour, with their place in the rack where the"
                    + " platform reports it, and the job that ran there in the last 15 minutes. IMEX:"
                    + " whether its service runs, and the state of its domain by DCGM.",
                List.of(
                    Column.node(),
                    Column.of("Value #A", "Verdict").scale(Scales.VERDICT).width(90),
                    Column.of("Value #B", "Links missing", Unit.COUNT)
                        .scale(Scale.rising(1))
                        .width(110),
                    Column.of("Value #D", "IMEX").scale(Scales.YES_IS_GOOD).width(60),
                    Column.of("state", "IMEX domain").width(100),
                    Column.of("tray_index", "Tray").width(60),
                    Column.of("slot_number", "Slot").width(60),
                    Column.of("chassis_serial_number", "Chassis"),
                    Column.job(),
                    Column.of("user", "User"),
                    Column.of("clique_id", "Clique").width(70),
                    Column.of("cluster_uuid", "Domain")),
                Query.rows(
                    """
                    sort_desc(max by (cluster, instance) (instance:lapwing_node_verdict:code{type})
                      and on (cluster, instance) %s)
                    """
                        .formatted(gpus())),
                Query.rows(
                    "sum by (cluster, instance, cluster_uuid, clique_id) (" + missing() + ")"),
                Query.rows(
                    """
                    topk by (cluster, instance) (1,
                      max by (cluster, instance, job_id, user) (last_over_time(lapwing_gpu_job_info{cluster}[15m])))
                      and on (cluster, instance) %s
                    """
                        .formatted(gpus())),
                Query.rows(
                    """
                    min by (cluster, instance) (lapwing_gpu_service_running{cluster, unit="nvidia-imex.service"})
                      and on (cluster, instance) %s
                    """
                        .formatted(gpus())),
                Query.rows(
                    """
                    max by (cluster, instance, state) (lapwing_imex_domain_state{cluster})
                      and on (cluster, instance) %s
                    """
                        .formatted(gpus())),
                Query.rows(
                    """
                    max by (cluster, instance, chassis_serial_number, slot_number, tray_index) (
                      %s)
                    """
                        .formatted(
                            Selectors.ofType(
                                "lapwing_gpu_fabric_info{cluster, chassis_serial_number!=\"\"}"))))
            .size(12, 8)
            .whenEmpty("No node is part of an NVLink domain"),
        Panel.table(
                "Links of the domains",
                "NVLinks that are down, or had errors within an hour, by their number. The same"
                    + " number on many nodes points to a switch.",
                List.of(
                    Column.of("link", "Link").width(60),
                    Column.node(),
                    Column.of("gpu", "GPU").width(60),
                    Column.of("Value #A", "Down").scale(Scales.YES_IS_BAD).width(70),
                    Column.of("Value #B", "Errors in 1 h", Unit.COUNT).width(110),
                    Column.of("clique_id", "Clique").width(70),
                    Column.of("cluster_uuid", "Domain")),
                Query.rows(ofDomain("lapwing_gpu_nvlink_down{cluster}")),
                Query.rows(ofDomain("increase(lapwing_gpu_nvlink_errors_total{cluster}[1h]) > 0")))
            .size(24, 7)
            .whenEmpty("All links of NVLink domains are up, without errors"));
  }

  /** One series for each GPU in a domain. A GPU that has left it names it no more. */
  private static String gpus() {
    return """
        max by (cluster, instance, gpu, cluster_uuid, clique_id) (
          %s)
        """
        .formatted(Selectors.ofType("last_over_time(lapwing_gpu_fabric_info{cluster}[1h])"))
        .strip();
  }

  /** A value of single links, of the GPUs in a domain; one that moved within the hour is of two. */
  private static String ofDomain(String links) {
    return """
        sum by (cluster, instance, gpu, link) (%s)
          * on (cluster, instance, gpu) group_left (cluster_uuid, clique_id)
          topk by (cluster, instance, gpu) (1, %s)
        """
        .formatted(links, gpus())
        .strip();
  }

  private static String missing() {
    return """
        %s * on (cluster, instance, gpu) group_left () clamp_min(
          max by (cluster, instance) (lapwing_node_expected_nvlinks_per_gpu{cluster})
          - on (cluster, instance) group_right () max by (cluster, instance, gpu) (lapwing_gpu_nvlinks_up{cluster}), 0)
        """
        .formatted(gpus())
        .strip();
  }
}
