package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import java.util.Optional;
import java.util.Set;

/** A disk that fails to read or write, or a file system with errors. */
final class DiskErrors implements HostRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("disk_errors")
        .about("A disk failed to read or write a sector, or a file system has errors.")
        .why(
            "Files on this disk may be lost or damaged; a file system with more errors becomes read-only.")
        .document("Linux, block/blk-core.c, fs/ext4/super.c, fs/xfs/xfs_error.c")
        .disposition(Disposition.WATCH)
        .threshold(SHOWN, DAY, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.DISK_ERROR, HostFaultKind.FILESYSTEM_ERROR);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    return faults.isEmpty()
        ? Optional.empty()
        : faults.detectionOf(
            policy,
            RuleText.count(faults.times(), "disk or file system error")
                + faults.ofDevices()
                + ": "
                + faults.last().message());
  }
}
