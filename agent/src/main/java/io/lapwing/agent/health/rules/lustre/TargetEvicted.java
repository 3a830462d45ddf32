package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** A target that has recently evicted the client. */
final class TargetEvicted implements TargetRule {

  private static final String MINUTES = "shown_minutes";

  private static final double SECONDS_OF_A_MINUTE = 60;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_evicted")
        .about("A target of a Lustre file system has evicted the client.")
        .why(
            "Reads and writes in progress have failed with EIO, and data not yet written is lost: an application that continues may have holes in its files.")
        .document("Lustre Operations Manual, client eviction; state_history of the import")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofSeconds(10))
        .threshold(MINUTES, 10, 1, 1440, "minutes")
        .meaning("How long after the last eviction the finding is shown; Lapwing's own choice.")
        .needs(LustreMetrics.EVICTIONS)
        .reads(LustreMetrics.LAST_EVICTION)
        .trends(LustreMetrics.EVICTIONS)
        .build();
  }

  /** By the kernel's own timestamp, so that an agent restart hides no eviction. */
  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    long times = Math.round(view.trends().recent(target.key(), LustreMetrics.EVICTIONS));
    double shown = policy.threshold(MINUTES) * SECONDS_OF_A_MINUTE;
    OptionalDouble last = target.values().get(LustreMetrics.LAST_EVICTION);
    double age = view.now().getEpochSecond() - last.orElse(Double.NEGATIVE_INFINITY);
    // Slightly in the future: clock skew. Far in the future: garbage.
    if (Math.abs(age) >= shown) {
      return Optional.empty();
    }
    Instant at = view.now().minusSeconds(Math.max(0, Math.round(age)));
    return Optional.of(detection(target, times, policy).withTimes(at, at, Math.max(1, times)));
  }

  private static Detection detection(PartStatus target, long times, RulePolicy policy) {
    return policy.detection(
        target.subject(),
        "has evicted this client"
            + (times > 1 ? " " + times + " times in the last 10 min" : "")
            + ": open reads and writes failed with EIO, data not yet written is lost",
        LustreMetrics.EVICTIONS);
  }
}
