package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OperationTrackerTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final String GPU = "GPU-5fd4f087-86f3-7a43-b711-4771313afc50";

  private final List<Event> log = new ArrayList<>();
  private OperationTracker tracker = started();
  private Instant now = START;

  private OperationTracker started() {
    return new OperationTracker(OperationTrackerTest::disposition, log);
  }

  private static Optional<Disposition> disposition(String rule) {
    return rule.startsWith("xid_")
        ? Optional.of(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
        : Optional.empty();
  }

  private static NodeSnapshot view() {
    return new NodeSnapshot(
        START,
        new NodeFacts(
            "node",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.Up("580", 1),
        AgentStatus.ALL_AVAILABLE,
        List.of(new GpuStatus(GPU, 3, "0000:53:00", PartStatus.State.ANSWERS, Values.NONE)),
        List.of(),
        History.EMPTY,
        Trends.NONE);
  }

  private Operations after(Duration time, OperatorRequest... requests) {
    now = now.plus(time);
    log.addAll(tracker.update(now, List.of(requests), view()));
    return tracker.now();
  }

  private OperatorRequest maintenance(Duration time) {
    return new OperatorRequest.StartMaintenance(now.plus(time), "swap PSU");
  }

  private OperatorRequest test(String rule, String subject, String severity) {
    return new OperatorRequest.StartTest(now.plus(Duration.ofMinutes(5)), rule, subject, severity);
  }

  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void maintenanceLastsUntilItsEnd() {
    Operations during = after(Duration.ZERO, maintenance(Duration.ofHours(2)));
    assertThat(during.maintenance())
        .contains(new Operations.Maintenance(START, START.plus(Duration.ofHours(2)), "swap PSU"));

    assertThat(after(Duration.ofMinutes(119)).maintenance()).isPresent();
    assertThat(after(Duration.ofMinutes(1)).maintenance()).isEmpty();
    assertThat(log)
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("MaintenanceStarted", "MaintenanceEnded");
  }

  @Test
  void maintenanceContinuesAfterARestartAndEndsWhileTheAgentIsStopped() {
    after(Duration.ZERO, maintenance(Duration.ofHours(2)));

    tracker = started();
    assertThat(after(Duration.ofHours(1)).maintenance()).isPresent();

    tracker = started();
    assertThat(after(Duration.ofHours(3)).maintenance()).isEmpty();
  }

  @Test
  void theEndOfTimeDoesNotEndWhatAnotherAgentHasExtended() {
    after(Duration.ZERO, maintenance(Duration.ofHours(2)));
    log.add(new Event.MaintenanceStarted(START.plusSeconds(60), START.plus(DAY), "longer"));
    after(Duration.ofHours(2));
    assertThat(log).last().isInstanceOf(Event.MaintenanceEnded.class);

    tracker = started();
    assertThat(tracker.now().maintenance().map(Operations.Maintenance::until))
        .contains(START.plus(DAY));
  }

  @Test
  void anOperatorEndsMaintenanceOnce() {
    after(Duration.ZERO, maintenance(Duration.ofHours(2)));

    Operations ended =
        after(
            Duration.ofMinutes(1),
            new OperatorRequest.EndMaintenance(),
            new OperatorRequest.EndMaintenance());

    assertThat(ended.maintenance()).isEmpty();
    assertThat(log).hasSize(2);
  }

  @Test
  void aSecondStartSetsAnotherEndAndKeepsTheStart() {
    after(Duration.ZERO, maintenance(Duration.ofHours(2)));

    Operations longer = after(Duration.ofHours(1), maintenance(Duration.ofHours(4)));

    assertThat(longer.maintenance().map(Operations.Maintenance::since)).contains(START);
    assertThat(longer.maintenance().map(Operations.Maintenance::until))
        .contains(START.plus(Duration.ofHours(4)));
  }

  @Test
  void noMaintenanceIsLongerThanItsLimitNotEvenAfterTheClockWasSetBack() {
    Operations bounded = after(Duration.ZERO, maintenance(Duration.ofDays(400)));
    assertThat(bounded.maintenance().map(Operations.Maintenance::until))
        .contains(START.plus(OperatorRequest.MAX_MAINTENANCE));

    assertThat(after(Duration.ofDays(-30)).maintenance()).isEmpty();
  }

  @Test
  void aRequestWhoseTimeIsOverStartsNothing() {
    assertThat(after(Duration.ZERO, maintenance(Duration.ofSeconds(-1))))
        .isEqualTo(Operations.NONE);
    assertThat(log).isEmpty();
  }

  @Test
  void aTestFindingHasThePolicysActionAndEndsByItself() {
    Operations during = after(Duration.ZERO, test("xid_79", "gpu:3", ""));

    assertThat(during.tests()).hasSize(1);
    assertThat(during.tests().get(0).finding().subject().text()).isEqualTo("gpu:" + GPU);
    assertThat(during.tests().get(0).finding().disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(after(Duration.ofMinutes(5)).tests()).isEmpty();
  }

  @Test
  void anOperatorSetsTheSeverityAndEndsAllTests() {
    Operations during =
        after(Duration.ZERO, test("xid_79", "gpu:" + GPU, "degraded"), test("xid_48", "", ""));
    assertThat(during.tests())
        .extracting(test -> test.finding().disposition().severity())
        .containsExactly(Severity.DEGRADED, Severity.FAILING);

    assertThat(after(Duration.ofSeconds(1), new OperatorRequest.EndTests()).tests()).isEmpty();
  }

  @Test
  void unknownRulesGpusAndSeveritiesAreRefused() {
    Operations none =
        after(
            Duration.ZERO,
            test("rm_rf", "gpu:3", ""),
            test("xid_79", "gpu:7", ""),
            test("xid_79", "gpu:3", "terrible"));

    assertThat(none.tests()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void eightTestsAreOpenAtMost() {
    for (int i = 0; i < 12; i++) {
      after(Duration.ZERO, test("xid_" + (40 + i), "", ""));
    }

    assertThat(tracker.now().tests()).hasSize(OperationTracker.MAX_TESTS);
    after(Duration.ZERO, test("xid_40", "", "info"));
    assertThat(tracker.now().tests().get(0).finding().disposition().severity())
        .isEqualTo(Severity.INFO);
  }

  @Test
  void gpusAreReleasedForATime() {
    Operations during = after(Duration.ZERO, new OperatorRequest.ReleaseGpus(now.plusSeconds(600)));
    assertThat(during.released())
        .contains(new Operations.Release(START, START.plusSeconds(600), false));

    assertThat(after(Duration.ofMinutes(10)).released()).isEmpty();
  }

  @Test
  void theEndOfAnOperationIsKnownBefore() {
    assertThat(tracker.endsBy(now.plus(Duration.ofDays(9)))).isFalse();

    after(Duration.ZERO, maintenance(Duration.ofMinutes(10)));
    assertThat(tracker.endsBy(now.plusSeconds(599))).isFalse();
    assertThat(tracker.endsBy(now.plusSeconds(600))).isTrue();

    after(Duration.ofMinutes(10));
    assertThat(tracker.endsBy(now.plus(Duration.ofDays(9)))).isFalse();
  }
}
