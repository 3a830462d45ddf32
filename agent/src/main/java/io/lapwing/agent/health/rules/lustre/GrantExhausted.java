package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A target that grants no more space: nothing left and nothing in use. A client at full speed has
 * little left, but uses much.
 */
final class GrantExhausted implements TargetRule {

  private static final String LEAST = "least_bytes";
  private static final String REQUESTS = "requests";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_grant_exhausted")
        .about("A target of a Lustre file system grants the client no space for writes.")
        .why(
            "Each write then waits for the server, as if there were no cache; most often the target is nearly full.")
        .document("Lustre Operations Manual, grants; cur_grant_bytes and cur_lost_grant_bytes")
        .disposition(Disposition.EXTERNAL)
        .openAfter(Duration.ofMinutes(2))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(LEAST, 1_048_576, 0, 1e12, "bytes")
        .meaning(
            "Grant below which none is left, and dirty data below which none is in use; 1 MiB is the smallest unit that a server on ZFS grants.")
        .threshold(REQUESTS, 50, 0, 1_000_000, "requests")
        .meaning(
            "Requests answered in 10 minutes, below which a target is idle; pings alone make 24.")
        .needs(LustreMetrics.GRANT)
        .reads(LustreMetrics.DIRTY, LustreMetrics.LOST_GRANT, LustreMetrics.STATE)
        .trends(LustreMetrics.RPCS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    double least = policy.threshold(LEAST);
    double grant = target.values().get(LustreMetrics.GRANT).orElse(least);
    double dirty = target.values().get(LustreMetrics.DIRTY).orElse(least);
    return grant < least && dirty < least && isFull(target) && isUsed(target, view, policy)
        ? Optional.of(detection(target, grant, policy))
        : Optional.empty();
  }

  /** An idle client returns its grant, and gets another one when it becomes active. */
  private static boolean isFull(PartStatus target) {
    return target.values().isSet(LustreMetrics.STATE, "full");
  }

  private static boolean isUsed(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    return view.trends().recent(target.key(), LustreMetrics.RPCS) >= policy.threshold(REQUESTS);
  }

  private static Detection detection(PartStatus target, double grant, RulePolicy policy) {
    double lost = target.values().get(LustreMetrics.LOST_GRANT).orElse(0);
    return policy.detection(
        target.subject(),
        String.format(Locale.ROOT, "grants only %.0f bytes of space", grant)
            + (lost > 0 ? String.format(Locale.ROOT, ", %.0f are lost", lost) : ""),
        LustreMetrics.GRANT);
  }
}
