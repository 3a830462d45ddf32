package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Values;
import io.lapwing.host.FilesystemSource;
import io.lapwing.host.HostMetrics;
import io.lapwing.metric.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A file system on a local disk.
 *
 * @param device {@code /dev/nvme1n1p1}
 * @param used share of the space that users may fill, as {@code df} shows it; empty if unknown
 */
record LocalFilesystem(String point, String device, boolean readOnly, OptionalDouble used) {

  private static final String DEV = "/dev/";

  /** Below these, system services write. */
  private static final List<String> OF_SYSTEM = List.of("/", "/var", "/usr", "/etc", "/home");

  static List<LocalFilesystem> all(NodeSnapshot view) {
    return HostPartRule.values(FilesystemSource.FILESYSTEMS, view)
        .map(LocalFilesystem::all)
        .orElse(List.of());
  }

  /** Whether the mounts of this node cannot be read. */
  static boolean areUnread(NodeSnapshot view) {
    return !view.whole(FilesystemSource.FILESYSTEMS).map(PartStatus::isRead).orElse(true);
  }

  static List<LocalFilesystem> all(Values values) {
    return values.all(HostMetrics.FILESYSTEM_READ_ONLY).entrySet().stream()
        .map(
            one -> {
              String[] labels = one.getKey().toArray(new String[0]);
              return new LocalFilesystem(
                  labels[0], labels[1], one.getValue() == 1, used(values, labels));
            })
        .sorted(Comparator.comparing(LocalFilesystem::point))
        .toList();
  }

  private static OptionalDouble used(Values values, String... labels) {
    double size = get(values, HostMetrics.FILESYSTEM_SIZE, labels);
    double used = size - get(values, HostMetrics.FILESYSTEM_FREE, labels);
    double all = used + get(values, HostMetrics.FILESYSTEM_AVAILABLE, labels);
    return size > 0 && all > 0 ? OptionalDouble.of(used / all) : OptionalDouble.empty();
  }

  private static double get(Values values, Metric metric, String... labels) {
    return values.get(metric, labels).orElse(0);
  }

  /** Whether it is on the device of that name in the kernel log: {@code nvme1n1p1}. */
  boolean isOn(String name) {
    return device.equals(DEV + name);
  }

  /** Whether it may be on an NVMe controller: a volume or an array of several disks may always. */
  boolean mayBeOn(String controller) {
    return device.startsWith(DEV + controller + "n")
        || device.startsWith(DEV + "mapper/")
        || device.startsWith(DEV + "dm-")
        || device.startsWith(DEV + "md");
  }

  boolean isOfSystem() {
    return OF_SYSTEM.contains(point) || point.startsWith("/var/");
  }
}
