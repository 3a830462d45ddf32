package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.FilesystemSource;
import io.lapwing.host.HostMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A local file system without space. */
final class FilesystemFull implements HostPartRule {

  private static final String FULL = "full_percent";
  private static final double PERCENT = 100;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("filesystem_full")
        .about("A local file system is full, or nearly so.")
        .why(
            "Jobs, logs and the container runtime cannot write; the kubelet evicts pods, and Slurm's daemon may drain the node.")
        .document("Linux, statvfs(3)")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(5))
        .threshold(FULL, 98, 1, 100, "percent")
        .meaning("Share of the space for users that is used, as df shows it; Lapwing's own choice.")
        .needs(HostMetrics.FILESYSTEM_SIZE)
        .reads(
            HostMetrics.FILESYSTEM_READ_ONLY,
            HostMetrics.FILESYSTEM_FREE,
            HostMetrics.FILESYSTEM_AVAILABLE)
        .build();
  }

  @Override
  public String kind() {
    return FilesystemSource.FILESYSTEMS;
  }

  @Override
  public Optional<Detection> evaluate(Values values, NodeSnapshot view, RulePolicy policy) {
    double full = policy.threshold(FULL) / PERCENT;
    List<String> names =
        LocalFilesystem.all(values).stream()
            .filter(one -> one.used().orElse(0) >= full)
            .map(one -> one.point() + " is " + RuleText.percent(one.used().orElse(0)) + " full")
            .toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy.detection(Subject.NODE, RuleText.list(names), HostMetrics.FILESYSTEM_AVAILABLE));
  }
}
