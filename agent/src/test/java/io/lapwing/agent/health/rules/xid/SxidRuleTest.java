package io.lapwing.agent.health.rules.xid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.xid.SxidTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SxidRuleTest {

  private static final Disposition REBOOT = Disposition.failing(Action.REBOOT_NODE, Urgency.NOW);

  private final SxidRule rule = new SxidRule(SxidTable.load());
  private final List<Event> events = new ArrayList<>();
  private Instant now = Instant.parse("2026-03-01T03:00:00Z");

  private SxidRuleTest sxid(int number, boolean fatal, int link) {
    events.add(
        new Event.SXid(
            now,
            "nvidia-nvswitch3",
            "0000:c6:00",
            number,
            fatal,
            OptionalInt.of(link),
            "Link " + link,
            1,
            OptionalLong.empty()));
    return this;
  }

  private SxidRuleTest later(Duration time) {
    now = now.plus(time);
    return this;
  }

  private List<Detection> detections() {
    Map<String, Double> thresholds = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      thresholds.put(threshold.name(), threshold.preset());
    }
    NodeSnapshot view =
        new NodeSnapshot(
            now,
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580.95.05", 8),
            NodeSnapshot.AgentStatus.ALL_AVAILABLE,
            List.of(),
            List.of(),
            new History(events),
            Trends.NONE);
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds));
  }

  private Disposition disposition() {
    List<Detection> found = detections();
    assertThat(found).hasSize(1);
    return found.get(0).disposition();
  }

  @ParameterizedTest
  @ValueSource(ints = {11_004, 12_028, 19_084})
  void whatStopsTheTrafficIsAFailureAlsoWhenTheMessageSaysNonFatal(int number) {
    assertThat(sxid(number, false, 32).disposition()).isEqualTo(REBOOT);
    assertThat(detections().get(0).why()).contains("even if the message says Non-fatal");
  }

  @ParameterizedTest
  @ValueSource(ints = {11_012, 15_008, 20_001, 22_013, 24_003, 99_999})
  void whatTheSwitchCorrectsIsInformation(int number) {
    assertThat(sxid(number, false, 32).disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void whatTheDriverCallsFatalIsAFailureWhateverTheTableSays() {
    assertThat(sxid(11_012, true, 32).disposition()).isEqualTo(REBOOT);
    assertThat(detections().get(0).rule()).isEqualTo("sxid_11012");
  }

  @Test
  void aConnectionProblemDegradesTheNodeWhenItRepeatsOnOneLink() {
    sxid(20_009, false, 28).later(Duration.ofHours(1)).sxid(20_009, false, 28);
    sxid(20_009, false, 29).sxid(20_009, false, 30);
    assertThat(disposition()).as("two on one link").isEqualTo(Disposition.info());

    later(Duration.ofHours(1)).sxid(20_009, false, 28);
    assertThat(disposition()).isEqualTo(Disposition.WATCH);
    assertThat(detections().get(0).what()).contains("Link 28");
    later(Duration.ofHours(2));
    assertThat(detections()).as("after an hour without another").isEmpty();
  }

  @Test
  void aLinkFaultInTheMinutesAroundALostGpuIsItsVictim() {
    sxid(20_034, true, 30).later(Duration.ofSeconds(40));
    assertThat(disposition()).as("alone").isEqualTo(REBOOT);
    events.add(
        new Event.Xid(
            now,
            "GPU-3",
            "0000:53:00",
            OptionalInt.empty(),
            OptionalInt.empty(),
            79,
            OptionalLong.empty(),
            "",
            "GPU has fallen off the bus.",
            OptionalInt.empty(),
            Set.of(Event.Origin.KERNEL, Event.Origin.NVML),
            1,
            OptionalLong.empty()));
    assertThat(disposition()).isEqualTo(Disposition.info());
    assertThat(detections().get(0).why()).contains("XID 79");
  }

  @Test
  void heatOfASwitchLastsUntilItsEnd() {
    sxid(10_004, false, 0);
    assertThat(disposition()).isEqualTo(Disposition.WATCH);
    sxid(10_005, false, 0);
    assertThat(detections()).extracting(Detection::disposition).containsExactly(Disposition.info());
  }

  @Test
  void theSameAfterTheRebootAsksForAReplacement() {
    sxid(12_028, false, 32).later(Duration.ofMinutes(10));
    events.add(new Event.Booted(now, "boot-2", "i-1"));
    assertThat(detections()).isEmpty();
    later(Duration.ofDays(2)).sxid(12_028, false, 32);
    assertThat(disposition()).isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
  }
}
