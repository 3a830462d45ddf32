package io.lapwing.agent.health.lustre;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Parts of the client whose files cannot be read, and counters that only root may read. */
public final class LustreBlind implements HealthRule {

  private static final String STATES_ARE_SEEN =
      "How the targets stand is seen all the same; bytes and waits are not, and no rule that needs them can find anything.";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lustre_blind",
          "A part of the Lustre client cannot be looked at.",
          "A read that does not come back may be the fault itself, so what cannot be looked at is not called healthy.",
          "Lapwing, lapwing_source_hung and lapwing_lustre_debugfs_readable",
          Call.unknown(),
          Call.unknown(),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public String kind() {
    return TargetRule.KIND;
  }

  @Override
  public List<Metric> reads() {
    return List.of(LustreMetrics.DEBUGFS_READABLE, LustreMetrics.CONNECTED);
  }

  /** What cannot be looked at is what it finds. */
  @Override
  public boolean sees(Subject subject, NodeView view) {
    return true;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    Stream<PartNow> all =
        Stream.concat(view.whole(TargetRule.KIND).stream(), view.parts(TargetRule.KIND).stream());
    return TargetRule.gathered(
        Stream.concat(
                all.filter(LustreBlind::isHidden).map(part -> hidden(part, policy)),
                closed(view, policy))
            .toList());
  }

  private static boolean isHidden(PartNow part) {
    return part.state() == PartNow.State.HUNG || part.state() == PartNow.State.DOWN;
  }

  private static Symptom hidden(PartNow part, RulePolicy policy) {
    return Symptom.now(
        SPEC,
        policy,
        part.subject(),
        (part.name().isEmpty() ? "the Lustre client cannot be read: " : "cannot be read: ")
            + part.reason(),
        "lapwing_source_hung");
  }

  private static Stream<Symptom> closed(NodeView view, RulePolicy policy) {
    boolean closed =
        view.whole(TargetRule.KIND)
            .filter(client -> client.values().get(LustreMetrics.DEBUGFS_READABLE).orElse(1) == 0)
            .isPresent();
    if (!closed) {
      return Stream.empty();
    }
    Symptom symptom =
        Symptom.now(
            SPEC,
            policy,
            Subject.NODE,
            "the counters of the Lustre client lie in debugfs, which this agent cannot read: it needs CAP_DAC_READ_SEARCH and debugfs mounted",
            LustreMetrics.DEBUGFS_READABLE.name());
    return Stream.of(statesAreSeen(view) ? symptom.meaning(Call.info(), STATES_ARE_SEEN) : symptom);
  }

  private static boolean statesAreSeen(NodeView view) {
    return TargetRule.targets(view).stream()
        .anyMatch(target -> target.values().get(LustreMetrics.CONNECTED).isPresent());
  }
}
