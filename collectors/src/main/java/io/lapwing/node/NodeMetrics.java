package io.lapwing.node;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The families of the node. */
public final class NodeMetrics {

  public static final Metric INFO =
      gauge(
          "lapwing_node_info",
          "1, with what the node is (class/dmi/id of sysfs).",
          "hostname",
          "instance_type",
          "instance_id");
  public static final Metric SIMULATED =
      gauge(
          "lapwing_simulated",
          "1 where a part of this node is simulated, and then no value is real; 0 on a real node (lapwing_simulated of the library and of sysfs).");

  private NodeMetrics() {}
}
