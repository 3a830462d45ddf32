package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Events as vertical lines in every graph of a dashboard, with a switch at its top.
 *
 * @param enabled whether it is on at first
 * @param dated whether the values are the times of the events, in milliseconds; else an event is
 *     where the query has a result. A dated query may be evaluated rarely and misses nothing that
 *     still has a series
 */
public record Annotation(
    String name,
    String color,
    boolean enabled,
    boolean dated,
    String expr,
    String title,
    String text) {

  /** Nodes of a dashboard, as a selector with the labels cluster and instance. */
  static List<Annotation> of(String nodes, boolean enabled) {
    return List.of(
        dated(
            "XIDs",
            "red",
            enabled,
            "1000 * max by (cluster, instance, gpu, xid) ("
                + on(
                    "lapwing_gpu_xid_last_seen_timestamp_seconds{cluster} > time() - $__range_s",
                    nodes)
                + ")",
            "XID {{xid}}",
            "{{instance}} GPU {{gpu}}"),
        dated(
            "Findings opened",
            "orange",
            enabled,
            "1000 * max by (cluster, instance, rule, subject, gpu, action) ("
                + on(
                    "lapwing_health_finding_since_timestamp_seconds{cluster, severity!=\"info\", test=\"\"} > time() - $__range_s",
                    nodes)
                + ")",
            "{{rule}} opened",
            "{{instance}} {{subject}} GPU {{gpu}}: {{action}}"),
        at(
            "Findings closed",
            "green",
            enabled,
            "max by (cluster, instance, rule, subject, gpu) ("
                + on(
                    "lapwing_health_finding{cluster, severity!=\"info\", test=\"\"} offset $__interval unless on (cluster, instance, rule, subject) lapwing_health_finding{cluster} and on (cluster, instance) lapwing_build_info{cluster}",
                    nodes)
                + ")",
            "{{rule}} closed",
            "{{instance}} {{subject}} GPU {{gpu}}"),
        dated(
            "Node replaced",
            "purple",
            enabled,
            on(
                """
                1000 * max by (cluster, instance) (process_start_time_seconds{cluster, job="lapwing"})
                  * on (cluster, instance) group_left (instance_id) (
                    max by (cluster, instance, instance_id) (lapwing_node_info{cluster, instance_id!=""})
                      unless on (cluster, instance, instance_id) last_over_time(instance:lapwing_hardware_finding:max1h{cluster}[1d]))
                  and on (cluster, instance) last_over_time(instance:lapwing_hardware_finding:max1h{cluster}[1d])
                """,
                nodes),
            "Node replaced",
            "{{instance}} is now {{instance_id}}"),
        dated(
            "Agent restarts",
            "blue",
            enabled,
            "1000 * max by (cluster, instance) ("
                + on(
                    "process_start_time_seconds{cluster, job=\"lapwing\"} > time() - $__range_s",
                    nodes)
                + ")",
            "Agent started",
            "{{instance}}"),
        at(
            "Driver loads and boots",
            "yellow",
            enabled,
            "max by (cluster, instance, kind) ("
                + on(
                    "increase(lapwing_events_total{cluster, kind=~\"driver_loaded|booted\"}[$__rate_interval]) > 0",
                    nodes)
                + ")",
            "{{kind}}",
            "{{instance}}"),
        dated(
            "Checkpoints",
            "light-blue",
            enabled,
            "1000 * max by (cluster, job_id) (job_id:lapwing_training_last_checkpoint_timestamp_seconds:min{cluster} and on (cluster, job_id) "
                + jobs(nodes)
                + ")",
            "Checkpoint",
            "job {{job_id}}"),
        dated(
            "EC2 events",
            "dark-red",
            enabled,
            "1000 * max by (cluster, instance, code) ("
                + on("lapwing_node_maintenance_not_before_timestamp_seconds{cluster}", nodes)
                + ")",
            "EC2: {{code}}",
            "{{instance}}"));
  }

  private static String on(String expr, String nodes) {
    return expr.strip() + " and on (cluster, instance) " + nodes;
  }

  /** The jobs on the nodes. */
  private static String jobs(String nodes) {
    return nodes.startsWith("instance_job_id:")
        ? nodes
        : "(instance_job_id:lapwing_gpus:allocated{cluster} and on (cluster, instance) "
            + nodes
            + ")";
  }

  private static Annotation dated(
      String name, String color, boolean enabled, String expr, String title, String text) {
    return new Annotation(name, color, enabled, true, Selectors.fill(expr), title, text);
  }

  private static Annotation at(
      String name, String color, boolean enabled, String expr, String title, String text) {
    return new Annotation(name, color, enabled, false, Selectors.fill(expr), title, text);
  }

  /** Grafana's JSON, as its Prometheus data source reads it. */
  ObjectNode json() {
    ObjectNode json =
        Json.object(
            "name",
            name,
            "datasource",
            DashboardJson.dataSource(),
            "enable",
            enabled,
            "hide",
            false,
            "iconColor",
            color,
            "expr",
            expr,
            "step",
            "1m",
            "tagKeys",
            "instance",
            "titleFormat",
            title,
            "textFormat",
            text);
    if (dated) {
      json.put("useValueForTime", "on");
    }
    return json;
  }
}
