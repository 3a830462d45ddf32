package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A target with the maximum number of requests in flight, and increasing waits. */
public final class RpcsFull implements TargetRule {

  private static final String FACTOR = "factor";
  private static final String REQUESTS = "requests";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lustre_rpcs_full",
          "The maximum number of requests to a target is in flight, and their wait increases.",
          "More work on this node waits for its turn. A checkpoint looks the same, so the verdict does not change.",
          "Lustre Operations Manual, max_rpcs_in_flight; AWS advises 32 for OSTs and 64 for MDTs",
          Disposition.info(),
          Disposition.info(),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          List.of(
              new Threshold(
                  FACTOR,
                  2,
                  1,
                  10_000,
                  "ratio",
                  "Mean wait of the last minute over the mean before it, from which the rule fires; Lapwing's own choice."),
              new Threshold(
                  REQUESTS,
                  50,
                  1,
                  1_000_000,
                  "requests",
                  "Minimum number of requests answered in the last minute for the wait to be evaluated.")));

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(LustreMetrics.IN_FLIGHT);
  }

  @Override
  public List<Metric> reads() {
    return List.of(LustreMetrics.IN_FLIGHT_LIMIT);
  }

  @Override
  public List<Metric> trends() {
    return List.of(LustreMetrics.RPC_WAIT, LustreMetrics.RPCS);
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
                Detection.now(
                    SPEC,
                    policy,
                    target.subject(),
                    String.format(
                        Locale.ROOT,
                        "%.0f of %.0f requests are in flight and wait %s; %s is usual",
                        inFlight,
                        limit,
                        RpcWait.text(wait.now()),
                        RpcWait.text(wait.before())),
                    LustreMetrics.IN_FLIGHT.name(),
                    LustreMetrics.RPC_WAIT.name()));
  }
}
