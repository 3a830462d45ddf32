package io.lapwing.agent.health.efa;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.rules.Ceiling;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An EFA device of which nothing can be said: it hangs, or its counters cannot be read. */
final class EfaBlind implements EfaRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "efa_blind",
          "An EFA device hangs, or tells nothing of its traffic.",
          "The counters come from the device itself, so one that does not tell them may be the one that is ill.",
          "EFA driver, efa_verbs.c: one query that fails fails all counters of the port",
          Call.unknown(),
          Call.unknown(),
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          List.of());

  private static final String NONE_TELLS =
      "No device of this node tells of its traffic, which is so where the driver is newer than the hardware: it asks for counters that older devices do not have.";

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> reads() {
    return List.of(EfaMetrics.TX_BYTES);
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    boolean told = EfaRule.answering(view).stream().anyMatch(EfaBlind::tells);
    return Stream.concat(view.whole(EfaSource.KIND).stream(), view.parts(EfaSource.KIND).stream())
        .flatMap(part -> judge(part, told, policy).stream())
        .toList();
  }

  private static Optional<Symptom> judge(PartNow part, boolean siblingsTell, RulePolicy policy) {
    return switch (part.state()) {
      case HUNG, DOWN -> Optional.of(symptom(part, "cannot be read: " + part.reason(), policy));
      case NOTHING_HERE -> Optional.empty();
      case ANSWERS ->
          part.name().isEmpty() || tells(part)
              ? Optional.empty()
              : Optional.of(silent(part, siblingsTell, policy));
    };
  }

  private static Symptom silent(PartNow part, boolean siblingsTell, RulePolicy policy) {
    Symptom symptom = symptom(part, "is there, but tells nothing of its traffic", policy);
    return siblingsTell ? symptom : Ceiling.form(symptom, Call.info(), NONE_TELLS);
  }

  private static boolean tells(PartNow device) {
    return !device.values().all(EfaMetrics.TX_BYTES).isEmpty();
  }

  private static Symptom symptom(PartNow part, String what, RulePolicy policy) {
    return Symptom.now(SPEC, policy, part.subject(), what, EfaMetrics.UP.name());
  }
}
