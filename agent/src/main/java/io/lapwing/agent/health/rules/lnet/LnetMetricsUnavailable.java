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

/** LNet is loaded and nothing can be said of it. */
public final class LnetMetricsUnavailable implements HealthRule {

  private static final String NO_RIGHTS =
      "An agent without these rights sees everything else; so the verdict stays.";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lnet_blind",
          "LNet is loaded and its counters cannot be read.",
          "A read of the kernel that does not come back may be the fault itself; for want of rights alone the verdict stays.",
          "Lapwing, lapwing_source_hung",
          Disposition.unknown(),
          Disposition.unknown(),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public String kind() {
    return LnetSource.LNET;
  }

  /** What it finds is that nothing can be read, so it always sees. */
  @Override
  public boolean sees(Subject subject, NodeSnapshot view) {
    return true;
  }

  @Override
  public List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    return view.whole(LnetSource.LNET).flatMap(lnet -> symptom(lnet, policy)).stream().toList();
  }

  private static Optional<Detection> symptom(PartStatus lnet, RulePolicy policy) {
    return switch (lnet.state()) {
      case HUNG -> Optional.of(symptom(lnet, policy, "LNet: " + lnet.reason()));
      case DOWN ->
          Optional.of(symptom(lnet, policy, lnet.reason()).meaning(Disposition.info(), NO_RIGHTS));
      case ANSWERS, NOTHING_HERE, GONE -> Optional.empty();
    };
  }

  private static Detection symptom(PartStatus lnet, RulePolicy policy, String what) {
    return Detection.now(SPEC, policy, lnet.subject(), what, "source " + LnetSource.LNET);
  }
}
