package io.lapwing.agent.health.rules.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.node.NodeMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ec2RulesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Map<Metric, Map<List<String>, Double>> readings = new HashMap<>();
  private final HealthRule maintenance = new MaintenanceScheduled();
  private final HealthRule spot = new SpotInterrupted();

  Ec2RulesTest() {
    readings.put(NodeMetrics.MAINTENANCE_EVENTS, Map.of(List.of(), 0.0));
  }

  private void scheduled(String id, String code, Duration ahead) {
    untimed(id, code);
    readings
        .computeIfAbsent(NodeMetrics.MAINTENANCE_NOT_BEFORE, unseen -> new HashMap<>())
        .put(List.of(id, code), (double) NOW.plus(ahead).getEpochSecond());
  }

  private void untimed(String id, String code) {
    readings
        .computeIfAbsent(NodeMetrics.MAINTENANCE_EVENT, unseen -> new HashMap<>())
        .put(List.of(id, code, "active"), 1.0);
    readings.put(
        NodeMetrics.MAINTENANCE_EVENTS,
        Map.of(List.of(), (double) readings.get(NodeMetrics.MAINTENANCE_EVENT).size()));
  }

  private NodeSnapshot view(PartStatus.State state, HealthRule rule) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads()).flatMap(List::stream).toList();
    Values values =
        metric -> {
          assertThat(named).as("the rule names what it reads").contains(metric);
          return readings.getOrDefault(metric, Map.of());
        };
    return view(
        List.of(
            new PartStatus(
                "imds", "", state, "", state == PartStatus.State.ANSWERS ? values : Values.NONE)));
  }

  private static NodeSnapshot view(List<PartStatus> parts) {
    return new NodeSnapshot(
        NOW,
        new NodeFacts(
            "node",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.NotPolled(),
        AgentStatus.ALL_AVAILABLE,
        List.of(),
        parts,
        History.EMPTY,
        Trends.NONE);
  }

  private static List<Detection> evaluate(HealthRule rule, NodeSnapshot view) {
    Map<String, Double> thresholds =
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    assertThat(rule.spec().nvidia()).isEqualTo(rule.spec().aws());
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds));
  }

  private List<Detection> detections(HealthRule rule) {
    return evaluate(rule, view(PartStatus.State.ANSWERS, rule));
  }

  private Detection one(HealthRule rule) {
    List<Detection> found = detections(rule);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  void withoutAScheduledEventNothingIsDetected() {
    assertThat(detections(maintenance)).isEmpty();
    assertThat(detections(spot)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"instance-retirement", "instance-stop"})
  void aScheduledTerminationRequestsReplacementAtJobEnd(String code) {
    scheduled("instance-event-1", code, Duration.ofDays(13));
    Detection detection = one(maintenance);

    assertThat(detection.disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(detection.subject()).isEqualTo(Subject.NODE);
    assertThat(detection.what())
        .isEqualTo(
            "EC2 has scheduled " + code + " not before 2026-03-14T12:00:00Z (instance-event-1)");
    assertThat(detection.document()).contains("Scheduled events for Amazon EC2 instances");
  }

  @ParameterizedTest
  @CsvSource({
    "instance-reboot, REBOOT_NODE",
    "system-reboot, WATCH",
    "system-maintenance, WATCH",
    "something-new, WATCH"
  })
  void whatTheInstanceSurvivesChangesTheVerdictOnTheLastDayOnly(String code, Action action) {
    scheduled("e", code, Duration.ofHours(25));
    assertThat(one(maintenance).disposition()).isEqualTo(Disposition.info());
    assertThat(one(maintenance).why()).startsWith("It is not near yet.");

    scheduled("e", code, Duration.ofHours(23));
    assertThat(one(maintenance).disposition())
        .isEqualTo(Disposition.degraded(action, Urgency.JOB_END));

    scheduled("e", code, Duration.ofHours(-1));
    assertThat(one(maintenance).disposition())
        .isEqualTo(Disposition.degraded(action, Urgency.JOB_END));
  }

  @Test
  void anEventAtAnUnknownTimeIsNear() {
    untimed("", "system-reboot");

    assertThat(one(maintenance).disposition())
        .isEqualTo(Disposition.degraded(Action.WATCH, Urgency.JOB_END));
    assertThat(one(maintenance).what())
        .isEqualTo("EC2 has scheduled system-reboot at an unknown time");
  }

  @Test
  void theMostSevereEventGivesTheActionAndAllAreNamed() {
    scheduled("e-2", "instance-stop", Duration.ofDays(9));
    scheduled("e-1", "system-reboot", Duration.ofHours(2));

    assertThat(one(maintenance).disposition().action()).isEqualTo(Action.REPLACE_NODE);
    assertThat(one(maintenance).what())
        .isEqualTo(
            "EC2 has scheduled system-reboot not before 2026-03-01T14:00:00Z (e-1), instance-stop not before 2026-03-10T12:00:00Z (e-2)");
  }

  @Test
  void noFormIsMoreSevereThanTheSitesSetting() {
    scheduled("e", "instance-stop", Duration.ofDays(9));

    assertThat(
            maintenance.evaluate(
                view(PartStatus.State.ANSWERS, maintenance),
                new RulePolicy(
                    maintenance.spec(), true, Disposition.info(), Map.of("near_seconds", 0.0))))
        .extracting(Detection::disposition)
        .containsExactly(Disposition.info());
  }

  @Test
  void aSpotInstanceThatIsTakenBackFailsNow() {
    readings.put(
        NodeMetrics.SPOT_INTERRUPTION,
        Map.of(List.of("terminate"), (double) NOW.plusSeconds(118).getEpochSecond()));

    assertThat(one(spot).disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(one(spot).what())
        .isEqualTo("EC2 reclaims this spot instance at 2026-03-01T12:01:58Z (terminate)");
  }

  @Test
  void whileTheServiceDoesNotAnswerNothingOpensOrCloses() {
    scheduled("e", "instance-stop", Duration.ofDays(9));
    for (HealthRule rule : Ec2Rule.all()) {
      assertThat(rule.canEvaluate(Subject.NODE, view(PartStatus.State.ANSWERS, rule))).isTrue();
      for (PartStatus.State state :
          List.of(PartStatus.State.DOWN, PartStatus.State.HUNG, PartStatus.State.NOTHING_HERE)) {
        assertThat(evaluate(rule, view(state, rule))).isEmpty();
        assertThat(rule.canEvaluate(Subject.NODE, view(state, rule))).isFalse();
      }
      assertThat(rule.canEvaluate(Subject.NODE, view(List.of()))).isFalse();
    }
    readings.clear();
    for (HealthRule rule : Ec2Rule.all()) {
      assertThat(rule.canEvaluate(Subject.NODE, view(PartStatus.State.ANSWERS, rule)))
          .as("it answers, and the question was not answered")
          .isFalse();
    }
  }
}
