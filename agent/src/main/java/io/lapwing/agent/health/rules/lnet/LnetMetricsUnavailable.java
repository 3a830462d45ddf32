package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.lnet.LnetSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** LNet is loaded and its counters cannot be read. */
final class LnetMetricsUnavailable implements HealthRule {

  private static final String NO_RIGHTS =
      "An agent without these permissions reads everything else, so the verdict does not change.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lnet_blind")
        .about("LNet is loaded and its counters cannot be read.")
        .why(
            "A kernel read that does not return may be the fault itself; missing permissions alone do not change the verdict.")
        .document("Lapwing, lapwing_source_hung")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public String kind() {
    return LnetSource.LNET;
  }

  /** The finding is that nothing can be read, so the rule can always be evaluated. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return true;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.whole(LnetSource.LNET).flatMap(lnet -> detection(lnet, policy)).stream().toList();
  }

  private static Optional<Detection> detection(PartStatus lnet, RulePolicy policy) {
    return switch (lnet.state()) {
      case HUNG -> Optional.of(detection(lnet, policy, "LNet: " + lnet.reason()));
      case DOWN ->
          Optional.of(
              detection(lnet, policy, lnet.reason())
                  .withDisposition(Disposition.info(), NO_RIGHTS));
      case ANSWERS, ANSWERS_LATE, NOTHING_HERE, GONE -> Optional.empty();
    };
  }

  private static Detection detection(PartStatus lnet, RulePolicy policy, String what) {
    return policy.detection(lnet.subject(), what, "source " + LnetSource.LNET);
  }
}
