package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A target that the client is not connected to. */
public final class TargetDisconnected implements TargetRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lustre_disconnected",
          "The client has lost its connection to a target of a Lustre file system.",
          "Work on its files blocks until the target is back; most often the server or the network is at fault, so check these before the node is replaced.",
          "Lustre Operations Manual, import states; FULL and IDLE are healthy",
          WATCH,
          WATCH,
          // Longer than the failover of a server's targets takes up to the first reconnection
          // attempt.
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(LustreMetrics.CONNECTED);
  }

  @Override
  public List<Metric> reads() {
    return List.of(LustreMetrics.STATE);
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    if (target.values().get(LustreMetrics.CONNECTED).orElse(1) != 0) {
      return Optional.empty();
    }
    return Optional.of(
        Detection.now(
            SPEC,
            policy,
            target.subject(),
            "is not connected" + state(target),
            LustreMetrics.CONNECTED.name()));
  }

  private static String state(PartStatus target) {
    return target.values().all(LustreMetrics.STATE).keySet().stream()
        .flatMap(List::stream)
        .findFirst()
        .map(state -> " (" + state + ")")
        .orElse("");
  }
}
