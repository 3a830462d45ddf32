package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMetrics;
import io.lapwing.metric.NaturalOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A local file system that the kernel made read-only, or shut down, after an error. */
final class FilesystemReadOnly implements HostRule {

  /** Longer than the interval at which the mount table is read. */
  private static final Duration MOUNTS_ARE_READ = Duration.ofMinutes(3);

  private static final String UNREAD =
      "The mounts cannot be read, so it is not known whether system services write to it.";
  private static final String DATA_ONLY =
      "The file system is not one that system services write to. Jobs that use it fail; unmount it, check it, and mount it again.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("filesystem_read_only")
        .about("A local file system became read-only, or was shut down, after an error.")
        .why(
            "Jobs, the container runtime and Slurm cannot write, and fail; a reboot checks the file system and mounts it again.")
        .document("Linux, fs/ext4/super.c (errors=remount-ro), fs/xfs/xfs_fsops.c")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END))
        .reads(
            HostMetrics.FILESYSTEM_READ_ONLY,
            HostMetrics.FILESYSTEM_SIZE,
            HostMetrics.FILESYSTEM_FREE,
            HostMetrics.FILESYSTEM_AVAILABLE)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.FILESYSTEM_READ_ONLY, HostFaultKind.FILESYSTEM_SHUTDOWN);
  }

  /** A file system that was read-only is not known to be writable while the mounts are unread. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return !LocalFilesystem.areUnread(view);
  }

  /** Without mounts, as in a saved kernel log, any file system may be one of the system. */
  @Override
  public Optional<Detection> evaluate(FaultHistory all, NodeSnapshot view, RulePolicy policy) {
    List<LocalFilesystem> mounts = LocalFilesystem.all(view);
    FaultHistory faults = all.where(fault -> !isWritableAgain(fault, mounts, view.now()));
    Set<String> names = new LinkedHashSet<>();
    boolean unread = LocalFilesystem.areUnread(view);
    boolean ofSystem = mounts.isEmpty() && !unread;
    for (LocalFilesystem mount : mounts) {
      if (mount.readOnly() || faults.faults().stream().anyMatch(one -> mount.isOn(one.device()))) {
        names.add(mount.point());
        ofSystem |= mount.isOfSystem();
      }
    }
    for (String device :
        faults.byDevice().keySet().stream().sorted(NaturalOrder.OF_NAMES).toList()) {
      if (mounts.stream().noneMatch(mount -> mount.isOn(device))) {
        names.add(device);
      }
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String what = RuleText.list(new ArrayList<>(names)) + " cannot be written";
    Detection found =
        faults.isEmpty()
            ? policy.detection(Subject.NODE, what, HostMetrics.FILESYSTEM_READ_ONLY)
            : faults.detection(policy, what);
    return Optional.of(
        ofSystem ? found : found.withForm(Disposition.WATCH, unread ? UNREAD : DATA_ONLY));
  }

  /** Mounted writable after the remount. The mount table does not show that XFS was shut down. */
  private static boolean isWritableAgain(
      Event.HostFault fault, List<LocalFilesystem> mounts, Instant now) {
    return fault.fault().equals(HostFaultKind.FILESYSTEM_READ_ONLY.text())
        && fault.at().isBefore(now.minus(MOUNTS_ARE_READ))
        && mounts.stream().anyMatch(mount -> mount.isOn(fault.device()) && !mount.readOnly());
  }
}
