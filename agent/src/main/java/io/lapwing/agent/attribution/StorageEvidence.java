package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.lustre.RpcWait;
import io.lapwing.lustre.LustreMetrics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lustre: slow responses, findings, and written bytes. */
final class StorageEvidence {

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(
          "lustre",
          List.of(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS),
          List.of(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS, LustreMetrics.WRITE_BYTES));

  /** A third of the factor for a finding: the loop's timing is evidence too. */
  private static final double FACTOR = 3;

  private static final double MIN_WAIT = 0.002;
  private static final double MIN_REQUESTS = 50;
  private static final double MIN_HISTORY = 1_000;

  /** Bytes per minute; a model checkpoint writes more. */
  private static final double MIN_WRITTEN = 256.0 * 1024 * 1024;

  private static final double GIB = 1024.0 * 1024 * 1024;

  List<Evidence> evidence(NodeContext context) {
    List<PartStatus> parts = context.answering(INPUTS.kind());
    return Stream.of(
            parts.stream().flatMap(part -> slow(part, context).stream()),
            context.findings().stream()
                .filter(finding -> finding.disposition().severity() != Severity.INFO)
                .filter(finding -> finding.subject() instanceof Subject.Part part && isLustre(part))
                .map(
                    finding ->
                        new Evidence(
                            Evidence.Kind.STORAGE,
                            ((Subject.Part) finding.subject()).words()
                                + " "
                                + finding.detection().what())),
            parts.stream().flatMap(part -> written(part, context).stream()))
        .flatMap(one -> one)
        .toList();
  }

  private boolean isLustre(Subject.Part part) {
    return part.kind().equals(INPUTS.kind());
  }

  private static Optional<Evidence> slow(PartStatus target, NodeContext context) {
    return RpcWait.of(target, context.view())
        .filter(wait -> wait.now() >= MIN_WAIT)
        .filter(wait -> wait.above(FACTOR, MIN_REQUESTS, MIN_HISTORY))
        .map(
            wait ->
                new Evidence(
                    Evidence.Kind.STORAGE,
                    "Lustre %s takes %s to answer, %s is normal"
                        .formatted(
                            target.name(), RpcWait.text(wait.now()), RpcWait.text(wait.before()))));
  }

  private static Optional<Evidence> written(PartStatus mount, NodeContext context) {
    double bytes = context.increase(mount.key(), LustreMetrics.WRITE_BYTES);
    return bytes < MIN_WRITTEN
        ? Optional.empty()
        : Optional.of(
            Evidence.of(
                Evidence.Kind.WRITES,
                "%.1f GiB were written to Lustre %s",
                bytes / GIB,
                mount.name()));
  }
}
