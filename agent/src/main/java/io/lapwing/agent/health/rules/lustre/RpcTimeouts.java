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

/** A target that did not answer requests in time. */
final class RpcTimeouts implements TargetRule {

  private static final String TIMEOUTS = "timeouts";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_timeouts")
        .about("A target of a Lustre file system did not answer requests in time.")
        .why(
            "After a timeout the client drops the connection and reconnects; overloaded servers and networks that lose messages look the same from here.")
        .document("Lustre Operations Manual, adaptive timeouts; timeouts of the import")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofMinutes(1))
        .threshold(TIMEOUTS, 1, 1, 1_000_000, "timeouts")
        .meaning(
            "Timeouts in 10 minutes; Lapwing's own choice, as a busy server asks for more time before a request times out.")
        .needs(LustreMetrics.RPC_TIMEOUTS)
        .trends(LustreMetrics.RPC_TIMEOUTS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    double timeouts = view.trends().recent(target.key(), LustreMetrics.RPC_TIMEOUTS);
    return timeouts < policy.threshold(TIMEOUTS)
        ? Optional.empty()
        : Optional.of(
            policy.detection(
                target.subject(),
                String.format(
                    Locale.ROOT,
                    "did not answer %.0f request%s in time in the last 10 min",
                    timeouts,
                    timeouts == 1 ? "" : "s"),
                LustreMetrics.RPC_TIMEOUTS));
  }
}
