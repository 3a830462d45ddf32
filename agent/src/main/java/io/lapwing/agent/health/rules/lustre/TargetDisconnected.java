package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A target that the client is not connected to. */
final class TargetDisconnected implements TargetRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_disconnected")
        .about("The client has lost its connection to a target of a Lustre file system.")
        .why(
            "Work on its files blocks until the target is back; most often the server or the network is at fault, so check these before the node is replaced.")
        .document("Lustre Operations Manual, import states; FULL and IDLE are healthy")
        .disposition(Disposition.EXTERNAL)
        .openAfter( // Longer than the failover of a server's targets takes up to the first
            // reconnection
            // attempt.
            Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .needs(LustreMetrics.CONNECTED)
        .reads(LustreMetrics.STATE)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy) {
    if (target.values().get(LustreMetrics.CONNECTED).orElse(1) != 0) {
      return Optional.empty();
    }
    return Optional.of(
        policy.detection(
            target.subject(), "is not connected" + state(target), LustreMetrics.CONNECTED));
  }

  private static String state(PartStatus target) {
    return target.values().all(LustreMetrics.STATE).keySet().stream()
        .flatMap(List::stream)
        .findFirst()
        .map(state -> " (" + state + ")")
        .orElse("");
  }
}
