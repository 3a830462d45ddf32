package io.lapwing.host;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of the machine around the GPUs. */
public final class HostMetrics {

  private static final String MOUNT_POINT = "mountpoint";
  private static final String DEVICE = "device";
  private static final String TYPE = "fstype";
  private static final String UNIT = "unit";

  public static final Metric PRESSURE =
      counter(
          "lapwing_host_pressure_seconds_total",
          "Time during which some or all tasks were stalled on a resource (total of pressure/cpu, memory and io in procfs).",
          "resource",
          "tasks");
  public static final Metric MEMORY_ERRORS =
      counter(
          "lapwing_host_memory_errors_total",
          "Memory errors since the EDAC driver was loaded; dimm is empty for those of no known DIMM (edac/mc in sysfs).",
          "controller",
          "dimm",
          "type");
  public static final Metric FILESYSTEM_READ_ONLY =
      gauge(
          "lapwing_host_filesystem_read_only",
          "1 if a file system on a local disk is read-only that was writable before, or that fstab mounts writable (mountinfo in procfs).",
          MOUNT_POINT,
          DEVICE,
          TYPE);
  public static final Metric FILESYSTEM_SIZE =
      gauge(
          "lapwing_host_filesystem_size_bytes",
          "Size of a file system on a local disk (statvfs).",
          MOUNT_POINT,
          DEVICE,
          TYPE);
  public static final Metric FILESYSTEM_FREE =
      gauge(
          "lapwing_host_filesystem_free_bytes",
          "Free space, including that reserved for root (statvfs).",
          MOUNT_POINT,
          DEVICE,
          TYPE);
  public static final Metric FILESYSTEM_AVAILABLE =
      gauge(
          "lapwing_host_filesystem_available_bytes",
          "Free space that users may fill (statvfs).",
          MOUNT_POINT,
          DEVICE,
          TYPE);
  public static final Metric PANICS =
      gauge(
          "lapwing_host_panics",
          "Crashes of the kernel whose last messages firmware kept, at most 8 (pstore, /var/lib/systemd/pstore).");
  public static final Metric PANIC_TIME =
      gauge(
          "lapwing_host_panic_timestamp_seconds",
          "When the kernel crashed, and why (pstore, /var/lib/systemd/pstore).",
          "record",
          "reason");
  public static final Metric UNIT_RUNNING =
      gauge(
          "lapwing_host_unit_running",
          "1 if a systemd unit of --node.units is active or being started, 0 if it is inactive or failed (/run/systemd/units).",
          UNIT);
  public static final Metric UNIT_RESTARTS =
      counter(
          "lapwing_host_unit_restarts_total",
          "Restarts of a systemd unit of --node.units since the agent started (/run/systemd/units).",
          UNIT);
  public static final Metric GPU_SERVICE_RUNNING =
      gauge(
          "lapwing_gpu_service_running",
          "1 if an installed service of NVIDIA's is active or being started, 0 if it is inactive or failed: Fabric Manager, IMEX, persistence daemon, DCGM (/run/systemd/units).",
          UNIT);
  public static final Metric GPU_SERVICE_RESTARTS =
      counter(
          "lapwing_gpu_service_restarts_total",
          "Restarts of an installed service of NVIDIA's since the agent started (/run/systemd/units).",
          UNIT);

  public static final Metric ENA_RECEIVED =
      counter(
          "lapwing_ena_receive_bytes_total",
          "Bytes received by a network device of the ENA driver (statistics/rx_bytes in sysfs).",
          DEVICE);
  public static final Metric ENA_TRANSMITTED =
      counter(
          "lapwing_ena_transmit_bytes_total",
          "Bytes sent by a network device of the ENA driver (statistics/tx_bytes in sysfs).",
          DEVICE);
  public static final Metric ENA_EXCEEDED =
      counter(
          "lapwing_ena_allowance_exceeded_packets_total",
          "Packets that EC2 queued or dropped because the instance exceeded an allowance of its network (ethtool -S of the ENA driver).",
          DEVICE,
          "allowance");
  public static final Metric ENA_CONNTRACK_AVAILABLE =
      gauge(
          "lapwing_ena_conntrack_allowance_available",
          "Tracked connections that the instance may still open before the allowance is exceeded (ethtool -S of the ENA driver).",
          DEVICE);

  private HostMetrics() {}
}
