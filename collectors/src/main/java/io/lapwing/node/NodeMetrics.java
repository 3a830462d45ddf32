package io.lapwing.node;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The families of the node. */
public final class NodeMetrics {

  private static final String EVENT_ID = "event_id";
  private static final String CODE = "code";

  public static final Metric INFO =
      gauge(
          "lapwing_node_info",
          "1, with what the node is; empty what nobody tells (configuration, class/dmi/id of sysfs, instance metadata service).",
          "hostname",
          "instance_type",
          "instance_id",
          "region",
          "availability_zone",
          "availability_zone_id",
          "lifecycle");
  public static final Metric EXPECTED_GPUS =
      gauge(
          "lapwing_node_expected_gpus",
          "GPUs that the node should have (--health.expected-gpus, instances.csv).");
  public static final Metric EXPECTED_GPU_MEMORY =
      gauge(
          "lapwing_node_expected_gpu_memory_bytes",
          "Memory that each GPU of this instance type should have; what NVML says differs by about a hundredth (instances.csv).");
  public static final Metric EXPECTED_NVLINKS =
      gauge(
          "lapwing_node_expected_nvlinks_per_gpu",
          "NVLinks that should be up on each GPU of this instance type (instances.csv).");
  public static final Metric EXPECTED_EFA_DEVICES =
      gauge(
          "lapwing_node_expected_efa_devices",
          "EFA devices that the node should have, the most of its instance type where nobody says otherwise (--health.expected-efa-devices, instances.csv).");
  public static final Metric EXPECTED_EFA_SPEED =
      gauge(
          "lapwing_node_expected_efa_device_bytes_per_second",
          "What one EFA device of this instance type can carry in each direction (instances.csv).");
  public static final Metric PEAK_FLOPS =
      gauge(
          "lapwing_node_gpu_peak_flops",
          "Floating-point operations a second that one GPU of this instance type can do at most, without sparsity (instances.csv).",
          "precision");
  public static final Metric MAINTENANCE_EVENTS =
      gauge(
          "lapwing_node_maintenance_events",
          "Events that EC2 has scheduled for this instance and that are not over (events/maintenance/scheduled of the instance metadata service).");
  public static final Metric MAINTENANCE_EVENT =
      gauge(
          "lapwing_node_maintenance_event",
          "1 for each event that EC2 has scheduled for this instance (events/maintenance/scheduled of the instance metadata service).",
          EVENT_ID,
          CODE,
          "state");
  public static final Metric MAINTENANCE_NOT_BEFORE =
      gauge(
          "lapwing_node_maintenance_not_before_timestamp_seconds",
          "When a scheduled event begins at the earliest (events/maintenance/scheduled of the instance metadata service).",
          EVENT_ID,
          CODE);
  public static final Metric SPOT_INTERRUPTION =
      gauge(
          "lapwing_node_spot_interruption_timestamp_seconds",
          "When EC2 takes this spot instance back, once it has said so (spot/instance-action of the instance metadata service).",
          "action");
  public static final Metric SIMULATED =
      gauge(
          "lapwing_simulated",
          "1 where a part of this node is simulated, and then no value is real; 0 on a real node (lapwing_simulated of the library and of sysfs).");

  private NodeMetrics() {}
}
