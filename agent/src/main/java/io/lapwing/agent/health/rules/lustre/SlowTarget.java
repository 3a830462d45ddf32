package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.Optional;

/** A target far slower than before. Unanswered requests are timeouts and not included. */
final class SlowTarget implements TargetRule {

  private static final String FACTOR = "factor";
  private static final String FLOOR = "floor_seconds";
  private static final String REQUESTS = "requests";
  private static final String HISTORY = "history_requests";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_slow")
        .about("A target of a Lustre file system answers far more slowly than before.")
        .why(
            "An overloaded server or slow disks are more likely than a fault of this node; if other nodes see the same, it is the server.")
        .document(
            "Lapwing; req_waittime of the target's stats, against its own mean since the mount")
        .disposition(Disposition.EXTERNAL)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(FACTOR, 10, 1.5, 10_000, "ratio")
        .meaning(
            "Mean wait of the last minute over the mean before it; Lapwing's own choice, as a burst of writes raises it to a few times the usual wait.")
        .threshold(FLOOR, 0.1, 0.001, 600, "seconds")
        .meaning(
            "Mean wait below which no target is slow, whatever its usual wait; Lapwing's own choice.")
        .threshold(REQUESTS, 50, 1, 1_000_000, "requests")
        .meaning(
            "Minimum number of requests answered in the last minute; pings alone make two or three.")
        .threshold(HISTORY, 1_000, 1, 1_000_000_000, "requests")
        .meaning("Minimum number of requests answered before, as the baseline.")
        .needs(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS)
        .trends(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    return RpcWait.of(target, view)
        .filter(wait -> wait.now() >= policy.threshold(FLOOR))
        .filter(
            wait ->
                wait.above(
                    policy.threshold(FACTOR),
                    policy.threshold(REQUESTS),
                    policy.threshold(HISTORY)))
        .map(
            wait ->
                policy.detection(
                    target.subject(),
                    "takes %s to answer, %s is usual"
                        .formatted(RpcWait.text(wait.now()), RpcWait.text(wait.before())),
                    LustreMetrics.RPC_WAIT));
  }
}
