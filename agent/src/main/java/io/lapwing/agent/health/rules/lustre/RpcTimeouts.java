package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.agent.health.Trends;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A target that did not answer requests in time. */
public final class RpcTimeouts implements TargetRule {

  private static final String TIMEOUTS = "timeouts";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lustre_timeouts",
          "A target of a Lustre file system did not answer requests in time.",
          "After a timeout the client drops the connection and reconnects; overloaded servers and networks that lose messages look the same from here.",
          "Lustre Operations Manual, adaptive timeouts; timeouts of the import",
          WATCH,
          WATCH,
          Duration.ZERO,
          Duration.ofMinutes(1),
          List.of(
              new Threshold(
                  TIMEOUTS,
                  1,
                  1,
                  1_000_000,
                  "timeouts",
                  "Timeouts in 10 minutes; Lapwing's own choice, as a busy server asks for more time before a request times out.")));

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return trends();
  }

  @Override
  public List<Metric> trends() {
    return List.of(LustreMetrics.RPC_TIMEOUTS);
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    double timeouts =
        view.trends()
            .increase(target.key(), LustreMetrics.RPC_TIMEOUTS, List.of(), Trends.LONGEST)
            .orElse(0);
    return timeouts < policy.threshold(TIMEOUTS)
        ? Optional.empty()
        : Optional.of(
            Detection.now(
                SPEC,
                policy,
                target.subject(),
                String.format(
                    Locale.ROOT,
                    "did not answer %.0f request%s in time in the last 10 min",
                    timeouts,
                    timeouts == 1 ? "" : "s"),
                LustreMetrics.RPC_TIMEOUTS.name()));
  }
}
