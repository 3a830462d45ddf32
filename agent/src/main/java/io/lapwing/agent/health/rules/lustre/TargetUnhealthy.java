package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The health_check of the Lustre modules. */
final class TargetUnhealthy implements HealthRule {

  private static final String UNHEALTHY_DEVICE =
      "The modules continue; an unhealthy device may recover when its server is back.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_unhealthy")
        .about("The modules of the Lustre client report LBUG or NOT HEALTHY.")
        .why(
            "After an LBUG the threads that hit it block with the locks they hold, and only a reboot releases them.")
        .document("Lustre Operations Manual, health_check and LBUG")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .closeAfter(Duration.ofSeconds(30))
        .needs(LustreMetrics.HEALTHY)
        .reads(LustreMetrics.LBUG)
        .build();
  }

  @Override
  public String kind() {
    return TargetRule.KIND;
  }

  /** The threads that hit the assertion may block the next reader of the state. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(TargetRule.KIND)
        .map(client -> client.isRead(LustreMetrics.HEALTHY))
        .orElse(true);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view
        .whole(TargetRule.KIND)
        .filter(PartStatus::answers)
        .flatMap(client -> evaluate(client, policy))
        .stream()
        .toList();
  }

  private static Optional<Detection> evaluate(PartStatus client, RulePolicy policy) {
    if (client.values().isSet(LustreMetrics.LBUG)) {
      return Optional.of(
          policy.detection(
              client.subject(),
              "an assertion of the Lustre client has failed (LBUG)",
              LustreMetrics.LBUG));
    }
    if (client.values().get(LustreMetrics.HEALTHY).orElse(1) != 0) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            client.subject(),
            "the Lustre client reports that it is not healthy",
            LustreMetrics.HEALTHY);
    return Optional.of(detection.withDisposition(milder(policy.disposition()), UNHEALTHY_DEVICE));
  }

  /** A site's setting caps the milder form. */
  private static Disposition milder(Disposition ceiling) {
    return ceiling.severity().compareTo(Disposition.WATCH.severity()) < 0
        ? ceiling
        : Disposition.WATCH;
  }
}
