package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.node.NodeMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** EC2 reclaims this spot instance. */
final class SpotInterrupted implements Ec2Rule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("spot_interrupted")
        .about("EC2 reclaims this spot instance within two minutes.")
        .why(
            "New work cannot finish in time, and running work has two minutes to write a checkpoint.")
        .document("Amazon EC2 user guide, Spot Instance interruption notices")
        .disposition(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
        .closeAfter(Duration.ofMinutes(5))
        .needs(NodeMetrics.MAINTENANCE_EVENTS)
        .reads(NodeMetrics.SPOT_INTERRUPTION)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(Values metadata, NodeSnapshot view, RulePolicy policy) {
    return metadata.all(NodeMetrics.SPOT_INTERRUPTION).entrySet().stream()
        .findFirst()
        .map(notice -> detection(notice, policy));
  }

  private static Detection detection(Map.Entry<List<String>, Double> notice, RulePolicy policy) {
    Instant at = Instant.ofEpochSecond(notice.getValue().longValue());
    return policy.detection(
        Subject.NODE,
        "EC2 reclaims this spot instance at " + at + " (" + notice.getKey().get(0) + ")",
        NodeMetrics.SPOT_INTERRUPTION);
  }
}
