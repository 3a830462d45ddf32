package io.lapwing.drain.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.policy.GuardPolicy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BrakeTest {

  /** A Tuesday. */
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static NodeState node(String heldBy, String... features) {
    return new NodeState(
        new NodeName("n1"),
        Service.IN_SERVICE,
        "",
        "",
        Set.of(),
        true,
        "",
        Optional.empty(),
        8,
        new More(Set.of(features), "", "", "", heldBy));
  }

  private static List<String> against(
      GuardPolicy policy, Verb verb, NodeState node, Instant now, String... firing) {
    return new Brake(policy)
        .against(verb, node, Optional.empty(), Set.of(firing), now).stream()
            .map(Objection::toString)
            .toList();
  }

  private static GuardPolicy windows(Window... windows) {
    return new GuardPolicy("off", Set.of(), List.of(windows), Set.of("StorageDown"));
  }

  @Test
  void aNodeOutsideOfWhatIsPermittedIsLeftAlone() {
    GuardPolicy some = new GuardPolicy("off", Set.of("canary", "p5"), List.of(), Set.of());
    assertThat(against(some, Verb.DRAIN, node("", "efa"), NOW))
        .containsExactly("the node is in none of canary, p5 (guard.only); until a person adds it");
    assertThat(against(some, Verb.REBOOT, node("", "efa", "canary"), NOW)).isEmpty();
    NodeState inPartition =
        new NodeState(
            new NodeName("n1"),
            Service.IN_SERVICE,
            "",
            "",
            Set.of("p5", "all"),
            true,
            "",
            Optional.empty(),
            8);
    assertThat(against(some, Verb.DRAIN, inPartition, NOW)).isEmpty();
  }

  @Test
  void anOptOutAnotherProgramAndABlockingAlertEachStopIt() {
    assertThat(against(windows(), Verb.DRAIN, node("", "gpu", "off"), NOW))
        .containsExactly("the node has off (guard.opt-out); until a person removes it");
    assertThat(against(windows(), Verb.DRAIN, node("Karpenter"), NOW))
        .containsExactly("Karpenter is at work on the node (held by); until Karpenter has ended");
    assertThat(against(windows(), Verb.DRAIN, node(""), NOW, "StorageDown", "Other"))
        .containsExactly("StorageDown fires (guard.blocking-alerts); until it no longer does");
    assertThat(against(windows(), Verb.DRAIN, node("", "gpu"), NOW, "Other")).isEmpty();
  }

  @Test
  void aWindowPermitsOrRefusesItsActions() {
    Set<DayOfWeek> weekdays = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
    Window night =
        new Window(
            weekdays, LocalTime.of(22, 0), LocalTime.of(6, 0), BERLIN, Set.of(Verb.REBOOT), false);
    Window noon =
        new Window(weekdays, LocalTime.of(12, 0), LocalTime.of(14, 0), BERLIN, Set.of(), true);

    assertThat(against(windows(night), Verb.DRAIN, node(""), NOW)).isEmpty();
    assertThat(against(windows(night), Verb.REBOOT, node(""), NOW))
        .singleElement()
        .asString()
        .startsWith("reboot is permitted in [[MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY] 22:00");
    assertThat(
            against(windows(night), Verb.REBOOT, node(""), Instant.parse("2026-11-24T22:00:00Z")))
        .isEmpty();
    assertThat(against(windows(noon), Verb.DRAIN, node(""), NOW)).hasSize(1);
    assertThat(against(windows(noon), Verb.DRAIN, node(""), NOW.plusSeconds(3600))).isEmpty();
  }

  @Test
  void aWindowOverMidnightBelongsToTheDayOnWhichItStarts() {
    Window friday =
        new Window(
            Set.of(DayOfWeek.FRIDAY),
            LocalTime.of(22, 0),
            LocalTime.of(6, 0),
            ZoneOffset.UTC,
            Set.of(),
            false);

    assertThat(friday.contains(Instant.parse("2026-11-27T21:59:00Z"))).isFalse();
    assertThat(friday.contains(Instant.parse("2026-11-27T22:00:00Z"))).isTrue();
    assertThat(friday.contains(Instant.parse("2026-11-28T05:59:00Z"))).isTrue();
    assertThat(friday.contains(Instant.parse("2026-11-28T06:00:00Z"))).isFalse();
    assertThat(friday.contains(Instant.parse("2026-11-27T05:00:00Z"))).isFalse();
  }
}
