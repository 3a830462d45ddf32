package io.lapwing.agent.health.rules.lnet;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.metric.Metric;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LnetRulesTest {

  private final Map<Metric, Map<List<String>, Double>> values = new HashMap<>();
  private final Map<Metric, Double> growth = new HashMap<>();

  LnetRulesTest() {
    value(LnetMetrics.DROPPED_MESSAGES, 3);
    value(LnetMetrics.NI_UP, 1, "10.0.2.7@tcp");
    value(LnetMetrics.PEERS, 5);
    value(LnetMetrics.PEERS_OUT_OF_CREDITS, 0);
    value(LnetMetrics.QUEUED_BYTES, 0);
  }

  private void value(Metric metric, double value, String... labels) {
    values.computeIfAbsent(metric, unseen -> new HashMap<>()).put(List.of(labels), value);
  }

  private NodeSnapshot view(PartStatus.State state, String reason) {
    PartStatus lnet =
        new PartStatus("lnet", "", state, reason, metric -> values.getOrDefault(metric, Map.of()));
    return view(List.of(lnet));
  }

  private NodeSnapshot view(List<PartStatus> parts) {
    return new NodeSnapshot(
        Instant.parse("2026-03-01T12:00:00Z"),
        new NodeFacts(
            "node-1",
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
        new History(List.of()),
        (part, metric, labels, window) -> {
          Double by = growth.get(metric);
          return by == null || !part.equals("lnet")
              ? OptionalDouble.empty()
              : OptionalDouble.of(by);
        });
  }

  private static List<Detection> detections(HealthRule rule, NodeSnapshot view) {
    Map<String, Double> thresholds =
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds));
  }

  private List<Detection> all(PartStatus.State state) {
    return LnetRule.all().stream()
        .flatMap(rule -> detections(rule, view(state, "why")).stream())
        .toList();
  }

  private List<Detection> all() {
    return all(PartStatus.State.ANSWERS);
  }

  private Detection one() {
    assertThat(all()).hasSize(1);
    return all().get(0);
  }

  @Test
  void aHealthyLnetHasNoDetections() {
    assertThat(all()).isEmpty();
  }

  @Test
  void aNodeWithoutLnetHasNone() {
    assertThat(all(PartStatus.State.NOTHING_HERE)).isEmpty();
    assertThat(LnetRule.all())
        .allSatisfy(rule -> assertThat(detections(rule, view(List.of()))).isEmpty());
  }

  @Test
  void dropsBeyondThoseOfANewConnectionAreFound() {
    growth.put(LnetMetrics.DROPPED_MESSAGES, 9.0);
    assertThat(all()).isEmpty();
    growth.put(LnetMetrics.DROPPED_MESSAGES, 10.0);
    assertThat(one().what()).isEqualTo("LNet dropped 10 messages in the last 5 min");
    assertThat(one().subject()).isEqualTo(Subject.NODE);
  }

  @Test
  void anInterfaceThatIsDownIsNamed() {
    value(LnetMetrics.NI_UP, 0, "10.0.2.7@tcp");
    assertThat(one().subject()).isEqualTo(new Subject.Part("lnet", "10.0.2.7@tcp"));
    assertThat(one().what()).isEqualTo("the only network interface of LNet is down");
    value(LnetMetrics.NI_UP, 1, "10.0.2.8@tcp1");
    assertThat(one().what()).isEqualTo("one of 2 network interfaces of LNet is down");
  }

  @Test
  void peersThatWaitForCreditsAreWorthKnowingAndNoMore() {
    value(LnetMetrics.PEERS_OUT_OF_CREDITS, 2);
    value(LnetMetrics.QUEUED_BYTES, 73_400_320);
    assertThat(one().what())
        .isEqualTo("messages to 2 of 5 LNet peers wait for send credits, 73400320 bytes in all");
    assertThat(one().disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void whatIsNotReadForWantOfRightsLeavesTheVerdictAsItIs() {
    List<Detection> found = all(PartStatus.State.DOWN);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).what()).isEqualTo("why");
    assertThat(found.get(0).disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void anLnetWithHungReadsIsNotHealthy() {
    List<Detection> found = all(PartStatus.State.HUNG);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).disposition()).isEqualTo(Disposition.unknown());
  }

  @Test
  void aRuleNamesWhatItReads() {
    for (HealthRule rule : LnetRule.all()) {
      List<Metric> named =
          Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
              .flatMap(List::stream)
              .toList();
      PartStatus lnet =
          new PartStatus(
              "lnet",
              "",
              PartStatus.State.ANSWERS,
              "",
              metric -> {
                assertThat(named).as(rule.spec().name()).contains(metric);
                return Map.of(List.of("nid"), 1.0, List.of(), 1.0);
              });
      detections(rule, view(List.of(lnet)));
      assertThat(rule.kind()).isEqualTo("lnet");
    }
  }
}
