package io.lapwing.node;

import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of the node. */
public final class NodeMetrics {

  private static final String EVENT_ID = "event_id";
  private static final String CODE = "code";

  public static final Metric INFO =
      gauge(
          "lapwing_node_info",
          "Node metadata; value is always 1; unknown labels are empty (configuration, class/dmi/id of sysfs, instance metadata service, nvmlDeviceGetGpuFabricInfoV).",
          "hostname",
          "instance_type",
          "instance_id",
          "region",
          "availability_zone",
          "availability_zone_id",
          "lifecycle",
          "cluster_uuid",
          "clique_id");
  public static final Metric EXPECTED_GPUS =
      gauge(
          "lapwing_node_expected_gpus",
          "GPUs that the node should have (--health.expected-gpus, instances.csv).");
  public static final Metric EXPECTED_GPU_MEMORY =
      gauge(
          "lapwing_node_expected_gpu_memory_bytes",
          "Memory that each GPU of this instance type should have; NVML's value differs by about 1 % (instances.csv).");
  public static final Metric EXPECTED_NVLINKS =
      gauge(
          "lapwing_node_expected_nvlinks_per_gpu",
          "NVLinks that should be up on each GPU of this instance type (instances.csv).");
  public static final Metric EXPECTED_EFA_DEVICES =
      gauge(
          "lapwing_node_expected_efa_devices",
          "Number of EFA devices that is expected on the node: --health.expected-efa-devices, or else the maximum of its instance type (instances.csv).");
  public static final Metric EXPECTED_EFA_SPEED =
      gauge(
          "lapwing_node_expected_efa_device_bytes_per_second",
          "Bandwidth of one EFA device of this instance type in each direction (instances.csv).");
  public static final Metric PEAK_FLOPS =
      gauge(
          "lapwing_node_gpu_peak_flops",
          "Peak floating-point operations per second of one GPU of this instance type, without sparsity (instances.csv).",
          "precision");
  public static final Metric MAINTENANCE_EVENTS =
      gauge(
          "lapwing_node_maintenance_events",
          "Scheduled EC2 events of this instance that are not completed or canceled (events/maintenance/scheduled of the instance metadata service).");
  public static final Metric MAINTENANCE_EVENT =
      gauge(
          "lapwing_node_maintenance_event",
          "1 for each scheduled EC2 event of this instance (events/maintenance/scheduled of the instance metadata service).",
          EVENT_ID,
          CODE,
          "state");
  public static final Metric MAINTENANCE_NOT_BEFORE =
      gauge(
          "lapwing_node_maintenance_not_before_timestamp_seconds",
          "Earliest start of a scheduled EC2 event (events/maintenance/scheduled of the instance metadata service).",
          EVENT_ID,
          CODE);
  public static final Metric SPOT_INTERRUPTION =
      gauge(
          "lapwing_node_spot_interruption_timestamp_seconds",
          "When EC2 interrupts this spot instance; absent until it is announced (spot/instance-action of the instance metadata service).",
          "action");
  public static final Metric SIMULATED =
      gauge(
          "lapwing_simulated",
          "1 if any part of this node is simulated, so that no value is real; 0 on a real node (lapwing_simulated of the library and of sysfs).");

  private NodeMetrics() {}
}
