package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The rules on the agent itself. */
class AgentRulesTest {

  private static final Optional<String> FINE = Optional.empty();
  private static final Optional<String> BAD = Optional.of("the reason");
  private static final List<GpuStatus> GPUS =
      List.of(new GpuStatus("GPU-0", 0, "0000:53:00", PartStatus.State.ANSWERS, Values.NONE));

  private static List<Detection> detections(
      HealthRule rule,
      AgentStatus agent,
      DriverStatus driver,
      List<GpuStatus> gpus,
      OptionalInt expected) {
    NodeFacts node =
        new NodeFacts(
            "node", "", "", Optional.empty(), expected, OptionalInt.empty(), OptionalInt.empty());
    NodeSnapshot view =
        new NodeSnapshot(
            Instant.EPOCH, node, driver, agent, gpus, List.of(), History.EMPTY, Trends.NONE);
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), Map.of()));
  }

  private static List<Detection> heard(AgentStatus agent, List<GpuStatus> gpus) {
    return detections(
        new XidEventsUnavailable(),
        agent,
        new DriverStatus.Up("580", 1),
        gpus,
        OptionalInt.empty());
  }

  private static Severity only(List<Detection> detections) {
    assertThat(detections).hasSize(1);
    assertThat(detections.get(0).what()).contains("the reason");
    return detections.get(0).disposition().severity();
  }

  @Test
  void withKernelLogAndEventLogTheRuleDetectsNothing() {
    assertThat(heard(AgentStatus.ALL_AVAILABLE, GPUS)).isEmpty();
    assertThat(
            detections(
                new EventLogBroken(),
                AgentStatus.ALL_AVAILABLE,
                new DriverStatus.Up("580", 1),
                GPUS,
                OptionalInt.empty()))
        .isEmpty();
  }

  @Test
  void oneSourceThatIsLeftIsWorthKnowing() {
    assertThat(only(heard(new AgentStatus(BAD, FINE, FINE, FINE), GPUS))).isEqualTo(Severity.INFO);
  }

  @Test
  void noSourceAtAllIsUnknown() {
    assertThat(only(heard(new AgentStatus(BAD, FINE, BAD, FINE), GPUS)))
        .isEqualTo(Severity.UNKNOWN);
  }

  @Test
  void nvmlAloneIsNotMissedWhileTheKernelLogIsRead() {
    assertThat(heard(new AgentStatus(FINE, FINE, BAD, FINE), GPUS)).isEmpty();
  }

  @Test
  void aLogFileInPlaceOfTheKernelLogIsReported() {
    assertThat(only(heard(new AgentStatus(FINE, BAD, FINE, FINE), GPUS))).isEqualTo(Severity.INFO);
  }

  @Test
  void aNodeWithoutGpusHasNoXidsToHear() {
    assertThat(heard(new AgentStatus(BAD, FINE, BAD, FINE), List.of())).isEmpty();
  }

  @Test
  void eventsThatAreNotKeptAreAFindingThatChangesNoVerdict() {
    List<Detection> detections =
        detections(
            new EventLogBroken(),
            new AgentStatus(FINE, FINE, FINE, BAD),
            new DriverStatus.Up("580", 1),
            GPUS,
            OptionalInt.empty());

    assertThat(only(detections)).isEqualTo(Severity.INFO);
  }

  @Test
  void eventsThatCouldNotBeReadAtTheStartLeaveTheNodeUnknown() {
    List<Detection> detections =
        detections(
            new EventLogBroken(),
            new AgentStatus(
                FINE, FINE, FINE, Optional.of("the reason; " + AgentStatus.NOT_RESTORED)),
            new DriverStatus.Up("580", 1),
            GPUS,
            OptionalInt.empty());

    assertThat(only(detections)).isEqualTo(Severity.UNKNOWN);
  }

  @Test
  void unmonitoredGpusAreUnknownUnlessNoneIsExpected() {
    DriverStatus notPolled = new DriverStatus.NotPolled();

    assertThat(
            detections(
                new GpuMonitoringDisabled(),
                AgentStatus.ALL_AVAILABLE,
                notPolled,
                List.of(),
                OptionalInt.empty()))
        .extracting(Detection::disposition)
        .containsExactly(Disposition.unknown());
    assertThat(
            detections(
                new GpuMonitoringDisabled(),
                AgentStatus.ALL_AVAILABLE,
                notPolled,
                List.of(),
                OptionalInt.of(0)))
        .isEmpty();
  }
}
