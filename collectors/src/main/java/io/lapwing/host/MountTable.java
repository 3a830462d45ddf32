package io.lapwing.host;

import io.lapwing.linux.KernelText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The file systems on local disks in a mount table of procfs, each under its first mount point:
 *
 * <pre>
 * /dev/nvme0n1p1 / ext4 rw,relatime,discard 0 0
 * /dev/nvme1n1 /opt/dlami/nvme xfs rw,relatime,inode64 0 0
 * </pre>
 *
 * Never a network file system, which could hang the reader, nor one that a user mounted: only disks
 * below {@code /dev}, of the types that are used for them. Bind mounts repeat a device.
 */
record MountTable(List<Mount> mounts) {

  static final int MAX_MOUNTS = 32;

  private static final Set<String> TYPES = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs");
  private static final int FIELDS = 4;
  private static final int MAX_PATH = 128;

  MountTable {
    mounts = List.copyOf(mounts);
  }

  /** {@code readOnly} is an option of the mount. */
  record Mount(String device, String point, String type, boolean readOnly) {}

  static MountTable parse(KernelText text) {
    return new MountTable(parse(text.lines()));
  }

  private static List<Mount> parse(List<String> lines) {
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    for (String line : lines) {
      String[] fields = line.split("[ \t]+", FIELDS + 1);
      if (fields.length >= FIELDS && isLocal(fields)) {
        Mount mount =
            new Mount(fields[0], unescaped(fields[1]), fields[2], hasOption(fields[3], "ro"));
        // A later mount at the same place hides the earlier one, whose path leads elsewhere.
        byDevice.values().removeIf(other -> other.point().equals(mount.point()));
        byDevice.putIfAbsent(mount.device(), mount);
      }
    }
    return new ArrayList<>(byDevice.values()).subList(0, Math.min(MAX_MOUNTS, byDevice.size()));
  }

  private static boolean isLocal(String[] fields) {
    return fields[0].startsWith("/dev/")
        && !fields[0].startsWith("/dev/loop")
        && !fields[0].startsWith("/dev/fuse")
        && fields[1].startsWith("/")
        && fields[1].length() <= MAX_PATH
        && !isOfContainer(fields[1])
        && TYPES.contains(fields[2]);
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
