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

/** A target with the maximum number of requests in flight, and increasing waits. */
final class RpcsFull implements TargetRule {

  private static final String FACTOR = "factor";
  private static final String REQUESTS = "requests";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_rpcs_full")
        .about("The maximum number of requests to a target is in flight, and their wait increases.")
        .why(
            "More work on this node waits for its turn. A checkpoint looks the same, so the verdict does not change.")
        .document(
            "Lustre Operations Manual, max_rpcs_in_flight; AWS advises 32 for OSTs and 64 for MDTs")
        .disposition(Disposition.info())
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(FACTOR, 2, 1, 10_000, "ratio")
        .meaning(
            "Mean wait of the last minute over the mean before it, from which the rule fires; Lapwing's own choice.")
        .threshold(REQUESTS, 50, 1, 1_000_000, "requests")
        .meaning(
            "Minimum number of requests answered in the last minute for the wait to be evaluated.")
        .needs(LustreMetrics.IN_FLIGHT)
        .reads(LustreMetrics.IN_FLIGHT_LIMIT)
        .trends(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    double limit = target.values().get(LustreMetrics.IN_FLIGHT_LIMIT).orElse(0);
    double inFlight = target.values().get(LustreMetrics.IN_FLIGHT).orElse(0);
    if (limit <= 0 || inFlight < limit) {
      return Optional.empty();
    }
    double least = policy.threshold(REQUESTS);
    return RpcWait.of(target, view)
        .filter(wait -> wait.above(policy.threshold(FACTOR), least, least))
        .map(
            wait ->
                policy.detection(
                    target.subject(),
                    String.format(
                        Locale.ROOT,
                        "%.0f of %.0f requests are in flight and wait %s; %s is usual",
                        inFlight,
                        limit,
                        RpcWait.text(wait.now()),
                        RpcWait.text(wait.before())),
                    LustreMetrics.IN_FLIGHT,
                    LustreMetrics.RPC_WAIT));
  }
}
