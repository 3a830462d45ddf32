package io.lapwing.host;

import io.lapwing.host.HostMessage.Fault;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVMe controllers, disks and file systems.
 *
 * <pre>
 * nvme nvme4: I/O tag 22 (2016) opcode 0x2 (Admin Cmd) QID 0 timeout, reset controller
 * nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff
 * nvme nvme1: Removing after probe failure status: -19
 * blk_update_request: I/O error, dev nvme1n1, sector 2048 op 0x0:(READ) flags 0x0 ...
 * nvme nvme1: I/O tag 22 (1016) opcode 0x2 (I/O Cmd) QID 5 timeout, aborting req_op:READ(0) size:4096
 * critical medium error, dev nvme0n1, sector 7814037 op 0x0:(READ) flags 0x80700 ...
 * EXT4-fs error (device nvme1n1): ext4_find_entry:1455: inode #2: comm python: reading directory lblock 0
 * EXT4-fs error (device nvme1n1) in ext4_reserve_inode_write:5764: Journal has aborted
 * EXT4-fs (md0): Remounting filesystem read-only
 * XFS (nvme1n1): Metadata corruption detected at xfs_buf_ioend+0x...
 * XFS (nvme1n1): Filesystem has been shut down due to log error (0x2).
 * XFS (nvme1n1): Log I/O Error (0x2) detected at xlog_ioend_work+0x75/0x90 [xfs] (fs/xfs/xfs_log.c:1378).  Shutting down filesystem.
 * </pre>
 *
 * Sources: Linux, drivers/nvme/host/pci.c, block/blk-core.c, fs/ext4/super.c, fs/xfs/xfs_fsops.c,
 * fs/btrfs/messages.c.
 */
final class StorageLines {

  /** Disks of a node. A user cannot attach these; loop devices are left out. */
  private static final String DISK =
      "(nvme\\d{1,4}(?:c\\d{1,4})?n\\d{1,4}|sd[a-z]{1,3}|x?vd[a-z]{1,3}|md\\d{1,4}|dm-\\d{1,4})";

  /** The same, their partitions, and arrays with a name. */
  private static final String DEVICE =
      "((?:nvme\\d{1,4}(?:c\\d{1,4})?n\\d{1,4}|sd[a-z]{1,3}|x?vd[a-z]{1,3}|md\\d{1,4}|md_[\\w.-]{1,28}"
          + "|dm-\\d{1,4})(?:p?\\d{1,3})?)";

  /** {@code detected at xlog_ioend_work+0x75/0x90 [xfs] (fs/xfs/xfs_log.c:1378)}. */
  private static final String XFS_PLACE =
      " at [\\w.+/]{1,120}(?: \\[xfs\\])? \\([\\w./-]{1,80}:\\d{1,7}\\)";

  /** The forms; group 1 is the device. */
  private enum Form {
    TIMEOUT(
        HostFaultKind.NVME_TIMEOUT,
        "nvme (nvme\\d{1,4}): I/O [\\w ().:#/-]{1,80}?timeout, (?:abort|completion|reset|disable)"),
    DOWN(HostFaultKind.NVME_DOWN, "nvme (nvme\\d{1,4}): controller is down; will reset"),
    GONE(
        HostFaultKind.NVME_GONE,
        "nvme (nvme\\d{1,4}): (?:Removing after probe failure|Disabling device after reset failure)"),
    SECTOR(
        HostFaultKind.DISK_ERROR,
        "(?:blk_update_request: |print_req_error: )?"
            + "(?:I/O|critical medium|critical target|device offline) error, dev "
            + DISK
            + ", sector "),
    EXT4_ERROR(
        HostFaultKind.FILESYSTEM_ERROR,
        "EXT4-fs error \\(device " + DEVICE + "\\)(?: in \\w{1,80}:\\d{1,7})?: "),
    EXT4_IO(
        HostFaultKind.FILESYSTEM_ERROR,
        "EXT4-fs \\(" + DEVICE + "\\): I/O error while writing superblock"),
    EXT4_READ_ONLY(
        HostFaultKind.FILESYSTEM_READ_ONLY,
        "EXT4-fs \\(" + DEVICE + "\\): Remounting filesystem read-only"),
    BTRFS_READ_ONLY(
        HostFaultKind.FILESYSTEM_READ_ONLY,
        "BTRFS(?: info| warning| error| critical)?:? \\(device "
            + DEVICE
            + "(?::? state [A-Z]{1,16})?\\): forced readonly"),
    XFS_SHUTDOWN(
        HostFaultKind.FILESYSTEM_SHUTDOWN,
        "XFS \\("
            + DEVICE
            + "\\): (?:Filesystem has been shut down"
            + "|[A-Z][A-Za-z /-]{1,60}(?: \\(0x[0-9a-f]{1,8}\\))?(?: [Dd]etected)?(?:"
            + XFS_PLACE
            + ")?\\. {1,2}Shutting down filesystem)"),
    XFS_ERROR(
        HostFaultKind.FILESYSTEM_ERROR,
        "XFS \\("
            + DEVICE
            + "\\): (?:(?:Metadata )?[Cc]orruption (?:detected|of in-memory data|warning)"
            + "|Internal error )");

    private final HostFaultKind kind;
    private final Pattern pattern;

    Form(HostFaultKind kind, String pattern) {
      this.kind = kind;
      this.pattern = Pattern.compile(pattern);
    }
  }

  private static final List<Form> FORMS = List.of(Form.values());

  private StorageLines() {}

  static Optional<HostMessage> read(String text) {
    for (Form form : FORMS) {
      Matcher matcher = form.pattern.matcher(text);
      if (matcher.lookingAt()) {
        return Optional.of(Fault.of(form.kind, matcher.group(1), text));
      }
    }
    return Optional.empty();
  }
}
