package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.host.MountTable.Mount;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SmallFile;
import io.lapwing.metric.Labels;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The node's file systems on local disks as a source of its own, since a call to one may hang.
 *
 * <pre>
 * lapwing_host_filesystem_read_only{mountpoint="/",device="/dev/nvme0n1p1",fstype="ext4"} 0      1/mountinfo, etc/fstab
 * lapwing_host_filesystem_size_bytes{mountpoint="/",device="/dev/nvme0n1p1",fstype="ext4"} 2e11  statvfs
 * lapwing_host_filesystem_free_bytes{...} 9e10
 * lapwing_host_filesystem_available_bytes{...} 8e10
 * </pre>
 *
 * A file system that was never writable, and is not listed as such in fstab, is read-only on
 * purpose, as on Bottlerocket.
 */
public final class FilesystemSource extends FixedSource {

  /** Each container adds an overlay of some kilobytes. */
  private static final int MAX_MOUNTS = 4 * 1024 * 1024;

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String FILESYSTEMS = "host_filesystem";

  private static final int MAX_FSTAB = 16 * 1024;
  private static final int FSTAB_FIELDS = 4;

  private final Path mounts;
  private final Path rootfs;
  private final Set<String> writable = new HashSet<>();
  private final Map<Mount, Labels> labels = new HashMap<>();
  private Optional<MountTable> table = Optional.empty();

  /** Reads the mounts of the node's first process, below the node's root file system. */
  public FilesystemSource(ProcFs proc, Path rootfs) {
    super(FILESYSTEMS, Part.whole(FILESYSTEMS));
    add(FILESYSTEMS, Cadence.SLOW, this::collect);
    this.mounts = proc.process(1).resolve("mountinfo");
    this.rootfs = rootfs;
  }

  @Override
  public Access begin(List<Collector> due) {
    Reading<KernelText> text = KernelText.read(mounts, MAX_MOUNTS);
    if (text instanceof Reading.Failed<KernelText> failed) {
      table = Optional.empty();
      return new Access.Down(failed.reason(), "cannot read " + failed.question());
    }
    table = text.toOptional().map(MountTable::parse);
    return table.filter(found -> !found.mounts().isEmpty()).isPresent()
        ? Access.READY
        : new Access.NothingHere("no file system on a local disk in " + mounts);
  }

  private void collect(SampleSink sink) {
    List<Mount> now = table.map(MountTable::mounts).orElse(List.of());
    if (labels.size() > 2 * MountTable.MAX_MOUNTS) {
      labels.clear();
    }
    Set<String> wanted = now.stream().anyMatch(Mount::readOnly) ? fstab() : Set.of();
    writable.retainAll(now.stream().map(Mount::device).toList());
    for (Mount mount : now) {
      if (!mount.readOnly()) {
        writable.add(mount.device());
      }
      boolean lost =
          mount.readOnly() && (writable.contains(mount.device()) || wanted.contains(mount.point()));
      put(mount, lost, sink);
    }
  }

  private void put(Mount mount, boolean lost, SampleSink sink) {
    Labels own =
        labels.computeIfAbsent(
            mount,
            one ->
                Labels.of("mountpoint", one.point(), "device", one.device(), "fstype", one.type()));
    sink.add(HostMetrics.FILESYSTEM_READ_ONLY, own, lost ? 1 : 0);
    Path path = rootfs.resolve(mount.point().substring(1));
    // Each call is one statvfs. FileStore would read the mount table again.
    File place = path.toFile();
    long size = isMountedAt(path, mount) ? place.getTotalSpace() : 0;
    if (size > 0) {
      sink.add(HostMetrics.FILESYSTEM_SIZE, own, (double) size);
      sink.add(HostMetrics.FILESYSTEM_FREE, own, (double) place.getFreeSpace());
      sink.add(HostMetrics.FILESYSTEM_AVAILABLE, own, (double) place.getUsableSpace());
    }
  }

  /** In a container the same path may be another file system: compares st_dev. */
  private static boolean isMountedAt(Path path, Mount mount) {
    try {
      return Files.getAttribute(path, "unix:dev") instanceof Long dev
          && mount.number().equals(number(dev));
    } catch (IOException gone) {
      return false;
    }
  }

  /** {@code 259:2}; the bits of major and minor are those of gnu_dev_major and gnu_dev_minor. */
  static String number(long dev) {
    long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & ~0xfffL);
    long minor = (dev & 0xff) | (dev >>> 12 & 0xffffff00L);
    return major + ":" + minor;
  }

  /** The mount points that fstab does not list as read-only; read only if any mount is. */
  private Set<String> fstab() {
    Set<String> points = new HashSet<>();
    String text = SmallFile.whole(rootfs.resolve("etc/fstab"), MAX_FSTAB).toOptional().orElse("");
    text.lines()
        .map(line -> line.strip().split("[ \t]+"))
        .filter(fields -> fields.length >= FSTAB_FIELDS && !fields[0].startsWith("#"))
        .filter(fields -> !MountTable.hasOption(fields[3], "ro"))
        .forEach(fields -> points.add(fields[1]));
    return points;
  }
}
