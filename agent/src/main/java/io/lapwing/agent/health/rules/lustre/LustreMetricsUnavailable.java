package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Parts of the client whose files cannot be read, and counters that only root may read. */
final class LustreMetricsUnavailable implements HealthRule {

  private static final String STATES_ARE_SEEN =
      "The state of the targets is still read; bytes and waits are not, so the rules that need them find nothing.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lustre_blind")
        .about("A part of the Lustre client cannot be read.")
        .why(
            "A read that does not return may be the fault itself, so a part that cannot be read is not reported as healthy.")
        .document("Lapwing, lapwing_source_hung and lapwing_lustre_debugfs_readable")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .reads(LustreMetrics.DEBUGFS_READABLE, LustreMetrics.CONNECTED)
        .build();
  }

  @Override
  public String kind() {
    return TargetRule.KIND;
  }

  /** The finding is that something cannot be read, so the rule can always be evaluated. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return true;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Stream<PartStatus> all =
        Stream.concat(view.whole(TargetRule.KIND).stream(), view.parts(TargetRule.KIND).stream());
    return TargetRule.merged(
        Stream.concat(
                all.filter(LustreMetricsUnavailable::isHidden).map(part -> hidden(part, policy)),
                closed(view, policy))
            .toList());
  }

  private static boolean isHidden(PartStatus part) {
    return part.state() == PartStatus.State.HUNG || part.state() == PartStatus.State.DOWN;
  }

  private static Detection hidden(PartStatus part, RulePolicy policy) {
    return policy.detection(
        part.subject(),
        (part.name().isEmpty() ? "the Lustre client cannot be read: " : "cannot be read: ")
            + part.reason(),
        "lapwing_source_hung");
  }

  private static Stream<Detection> closed(NodeSnapshot view, RulePolicy policy) {
    boolean closed =
        view.whole(TargetRule.KIND)
            .filter(client -> client.values().get(LustreMetrics.DEBUGFS_READABLE).orElse(1) == 0)
            .isPresent();
    if (!closed) {
      return Stream.empty();
    }
    Detection detection =
        policy.detection(
            Subject.NODE,
            "the counters of the Lustre client are in debugfs, which this agent cannot read: it needs CAP_DAC_READ_SEARCH and debugfs mounted",
            LustreMetrics.DEBUGFS_READABLE);
    return Stream.of(
        statesAreSeen(view)
            ? detection.withDisposition(Disposition.info(), STATES_ARE_SEEN)
            : detection);
  }

  private static boolean statesAreSeen(NodeSnapshot view) {
    return TargetRule.targets(view).stream()
        .anyMatch(target -> target.values().get(LustreMetrics.CONNECTED).isPresent());
  }
}
