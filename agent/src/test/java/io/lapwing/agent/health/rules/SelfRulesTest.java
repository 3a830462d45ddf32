package io.lapwing.agent.health.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.AgentNow;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the agent says of itself. */
class SelfRulesTest {

  private static final Optional<String> FINE = Optional.empty();
  private static final Optional<String> BAD = Optional.of("the reason");
  private static final List<GpuNow> GPUS =
      List.of(new GpuNow("GPU-0", 0, "0000:53:00", GpuNow.State.ANSWERS, Values.NONE));

  private static List<Symptom> judged(
      HealthRule rule, AgentNow agent, DriverNow driver, List<GpuNow> gpus, OptionalInt expected) {
    NodeFacts node = new NodeFacts("node", "", "", Optional.empty(), expected, OptionalInt.empty());
    NodeView view =
        new NodeView(Instant.EPOCH, node, driver, agent, gpus, History.EMPTY, Trends.NONE);
    return rule.judge(view, new RulePolicy(true, rule.spec().aws(), Map.of()));
  }

  private static List<Symptom> heard(AgentNow agent, List<GpuNow> gpus) {
    return judged(new XidsUnheard(), agent, new DriverNow.Up("580", 1), gpus, OptionalInt.empty());
  }

  private static Severity only(List<Symptom> symptoms) {
    assertThat(symptoms).hasSize(1);
    assertThat(symptoms.get(0).what()).contains("the reason");
    return symptoms.get(0).call().severity();
  }

  @Test
  void anAgentThatHearsAndRemembersHasNothingToSay() {
    assertThat(heard(AgentNow.WELL, GPUS)).isEmpty();
    assertThat(
            judged(
                new EventLogBroken(),
                AgentNow.WELL,
                new DriverNow.Up("580", 1),
                GPUS,
                OptionalInt.empty()))
        .isEmpty();
  }

  @Test
  void oneSourceThatIsLeftIsWorthKnowing() {
    assertThat(only(heard(new AgentNow(BAD, FINE, FINE, FINE), GPUS))).isEqualTo(Severity.INFO);
  }

  @Test
  void noSourceAtAllIsUnknown() {
    assertThat(only(heard(new AgentNow(BAD, FINE, BAD, FINE), GPUS))).isEqualTo(Severity.UNKNOWN);
  }

  @Test
  void nvmlAloneIsNotMissedWhileTheKernelLogIsRead() {
    assertThat(heard(new AgentNow(FINE, FINE, BAD, FINE), GPUS)).isEmpty();
  }

  @Test
  void aLogFileInPlaceOfTheKernelLogIsSaid() {
    assertThat(only(heard(new AgentNow(FINE, BAD, FINE, FINE), GPUS))).isEqualTo(Severity.INFO);
  }

  @Test
  void aNodeWithoutGpusHasNoXidsToHear() {
    assertThat(heard(new AgentNow(BAD, FINE, BAD, FINE), List.of())).isEmpty();
  }

  @Test
  void eventsThatAreNotKeptAreAFindingThatChangesNoVerdict() {
    List<Symptom> symptoms =
        judged(
            new EventLogBroken(),
            new AgentNow(FINE, FINE, FINE, BAD),
            new DriverNow.Up("580", 1),
            GPUS,
            OptionalInt.empty());

    assertThat(only(symptoms)).isEqualTo(Severity.INFO);
  }

  @Test
  void gpusThatNobodyLooksAtAreUnknownUnlessNoneIsExpected() {
    DriverNow nobody = new DriverNow.NotLookedAt();

    assertThat(judged(new DriverUnwatched(), AgentNow.WELL, nobody, List.of(), OptionalInt.empty()))
        .extracting(Symptom::call)
        .containsExactly(Call.unknown());
    assertThat(judged(new DriverUnwatched(), AgentNow.WELL, nobody, List.of(), OptionalInt.of(0)))
        .isEmpty();
  }
}
