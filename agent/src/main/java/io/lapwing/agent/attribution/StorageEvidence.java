package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.lustre.RpcWait;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Lustre: slow answers, findings, and what was written. */
final class StorageEvidence implements EvidenceSource {

  /** A third of what makes a finding: with the loop's own word a smaller one is enough. */
  private static final double FACTOR = 3;

  private static final double LEAST_WAIT = 0.002;
  private static final double LEAST_REQUESTS = 50;
  private static final double LEAST_HISTORY = 1_000;

  /** In a minute; below it nobody has saved a model. */
  private static final double LEAST_WRITTEN = 256.0 * 1024 * 1024;

  private static final double GIB = 1024.0 * 1024 * 1024;

  @Override
  public String kind() {
    return "lustre";
  }

  @Override
  public List<Metric> reads() {
    return List.of(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS);
  }

  @Override
  public List<Metric> trends() {
    return List.of(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS, LustreMetrics.WRITE_BYTES);
  }

  List<Evidence> signs(NodeContext scene) {
    List<PartStatus> parts = scene.answering(kind());
    return Stream.of(
            parts.stream().flatMap(part -> slow(part, scene).stream()),
            scene.findings().stream()
                .filter(finding -> finding.call().severity() != Severity.INFO)
                .filter(finding -> finding.subject() instanceof Subject.Part part && ours(part))
                .map(
                    finding ->
                        new Evidence(
                            Evidence.Kind.STORAGE,
                            ((Subject.Part) finding.subject()).words()
                                + " "
                                + finding.symptom().what())),
            parts.stream().flatMap(part -> written(part, scene).stream()))
        .flatMap(one -> one)
        .toList();
  }

  private boolean ours(Subject.Part part) {
    return part.kind().equals(kind());
  }

  private static Optional<Evidence> slow(PartStatus target, NodeContext scene) {
    return RpcWait.of(target, scene.view())
        .filter(wait -> wait.now() >= LEAST_WAIT)
        .filter(wait -> wait.above(FACTOR, LEAST_REQUESTS, LEAST_HISTORY))
        .map(
            wait ->
                new Evidence(
                    Evidence.Kind.STORAGE,
                    "Lustre "
                        + target.name()
                        + " takes "
                        + RpcWait.text(wait.now())
                        + " to answer, "
                        + RpcWait.text(wait.before())
                        + " is usual"));
  }

  private static Optional<Evidence> written(PartStatus mount, NodeContext scene) {
    double bytes = scene.grown(mount.key(), LustreMetrics.WRITE_BYTES);
    return bytes < LEAST_WRITTEN
        ? Optional.empty()
        : Optional.of(
            new Evidence(
                Evidence.Kind.WRITES,
                String.format(
                    Locale.ROOT, "%.1f GiB were written to Lustre %s", bytes / GIB, mount.name())));
  }
}
