package io.lapwing.host;

import io.lapwing.linux.KernelText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file systems on local disks in {@code mountinfo} of procfs, each under its first mount point:
 *
 * <pre>
 * 29 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw,discard
 * 41 29 259:5 / /opt/dlami/nvme rw,relatime shared:7 - xfs /dev/nvme1n1 rw,inode64
 * </pre>
 *
 * Never a network file system, which could hang the reader, nor one that a user mounted: only disks
 * below {@code /dev}, of the types that are used for them. Bind mounts repeat a device.
 */
record MountTable(List<Mount> mounts) {

  static final int MAX_MOUNTS = 32;

  private static final Set<String> TYPES = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs");
  private static final int MAX_PATH = 128;

  /** Optional fields, such as {@code shared:1}, end with a dash. */
  private static final Pattern LINE =
      Pattern.compile(
          "\\d+ \\d+ (\\d{1,7}:\\d{1,7}) \\S+ (\\S+) (\\S+) (?:[a-z_]+(?::\\d+)? )*- (\\S+) (\\S+) (\\S+)");

  MountTable {
    mounts = List.copyOf(mounts);
  }

  /**
   * A file system.
   *
   * @param number of its device, as stat gives it: {@code 259:2}
   * @param readOnly whether the mount or the file system is
   */
  record Mount(String device, String number, String point, String type, boolean readOnly) {}

  static MountTable parse(KernelText text) {
    return new MountTable(parse(text.lines()));
  }

  private static List<Mount> parse(List<String> lines) {
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher fields = LINE.matcher(line);
      if (fields.matches() && isLocal(fields.group(5), fields.group(2), fields.group(4))) {
        boolean readOnly = hasOption(fields.group(3), "ro") || hasOption(fields.group(6), "ro");
        String point = unescaped(fields.group(2));
        // A later mount at the same place hides the earlier one, whose path leads elsewhere.
        byDevice.values().removeIf(other -> other.point().equals(point));
        byDevice.putIfAbsent(
            fields.group(5),
            new Mount(fields.group(5), fields.group(1), point, fields.group(4), readOnly));
      }
    }
    return new ArrayList<>(byDevice.values()).subList(0, Math.min(MAX_MOUNTS, byDevice.size()));
  }

  private static boolean isLocal(String device, String point, String type) {
    return device.startsWith("/dev/")
        && !device.startsWith("/dev/loop")
        && !device.startsWith("/dev/fuse")
        && point.startsWith("/")
        && point.length() <= MAX_PATH
        && !isOfContainer(point)
        && TYPES.contains(type);
  }

  /** Volumes of pods come and go with them, and each would be a series. */
  private static boolean isOfContainer(String point) {
    return point.startsWith("/var/lib/kubelet/pods/")
        || point.startsWith("/var/lib/kubelet/plugins/")
        || point.startsWith("/run/");
  }

  static boolean hasOption(String options, String wanted) {
    return Arrays.asList(options.split(",", -1)).contains(wanted);
  }

  /** A space in a path is {@code \040}. */
  private static String unescaped(String path) {
    return path.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
