package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMetrics;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An NVMe controller that the driver gave up or reset, or whose commands time out. */
final class NvmeFailed implements HostRule {

  private static final String TIMEOUTS = "timeouts";

  private static final String UNREAD =
      "The mounts cannot be read, so it is not known whether a file system is on it.";
  private static final String UNUSED =
      "No mounted file system is on the disk; jobs that do not use it are not affected.";

  private static final String SLOW =
      "The controller answered late. A network volume (EBS) does so while its network or its volume is impaired; watch for a repetition.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nvme_failed")
        .about("An NVMe controller is gone, was reset, or lets commands time out.")
        .why(
            "Data on the disk is unreachable, and work that uses it fails or hangs; a controller that went down once often does so again.")
        .document("Linux, drivers/nvme/host/pci.c")
        .disposition(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .reads(
            HostMetrics.FILESYSTEM_READ_ONLY,
            HostMetrics.FILESYSTEM_SIZE,
            HostMetrics.FILESYSTEM_FREE,
            HostMetrics.FILESYSTEM_AVAILABLE)
        .threshold(TIMEOUTS, 3, 1, 1e6, "timeouts")
        .meaning("Commands that timed out within a day, without a reset; Lapwing's own choice.")
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(
        HostFaultKind.NVME_GONE, HostFaultKind.NVME_DOWN, HostFaultKind.NVME_TIMEOUT);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    FaultHistory gone = faults.of(HostFaultKind.NVME_GONE);
    FaultHistory down = faults.of(HostFaultKind.NVME_DOWN);
    FaultHistory late =
        faults
            .of(HostFaultKind.NVME_TIMEOUT)
            .where(fault -> fault.at().isAfter(view.now().minusSeconds(86_400)));
    if (!gone.isEmpty()) {
      return gone.detectionOf(policy, "NVMe controllers are gone: " + gone.names())
          .map(found -> mounted(found, gone, view));
    }
    if (!down.isEmpty()) {
      return down.detectionOf(policy, RuleText.count(down.times(), "NVMe reset") + down.ofDevices())
          .map(found -> mounted(found, down, view));
    }
    return late.times() < policy.threshold(TIMEOUTS)
        ? Optional.empty()
        : late.detectionOf(policy, RuleText.count(late.times(), "NVMe timeout") + late.ofDevices())
            .map(detection -> detection.withForm(Disposition.WATCH, SLOW));
  }

  /** Without mounts, as in a saved kernel log, any disk may hold a file system. */
  private static Detection mounted(Detection found, FaultHistory faults, NodeSnapshot view) {
    List<LocalFilesystem> mounts = LocalFilesystem.all(view);
    if (LocalFilesystem.areUnread(view)) {
      return found.withForm(Disposition.WATCH, UNREAD);
    }
    boolean used =
        mounts.isEmpty()
            || faults.byDevice().keySet().stream()
                .anyMatch(name -> mounts.stream().anyMatch(mount -> mount.mayBeOn(name)));
    return used ? found : found.withForm(Disposition.WATCH, UNUSED);
  }
}
