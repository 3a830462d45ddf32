package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.GuardPolicy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a controller does, and writes, that may not act. */
class ModesTest extends ControllerCase {

  @Test
  void theBrakeStopsHarmAndNoReturn() {
    FakeNode held = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(3));
    FakeNode well = sick(2, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    FakeNode stillSick = sick(3, Remedy.REBOOT_NODE, Urgency.NOW, "xid_3");
    stopped = Optional.of("ada: power work");
    rounds(Duration.ofMinutes(30));

    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
    assertThat(last(held).phase()).isEqualTo(Phase.RETURNED);
    assertThat(waiting(stillSick).why())
        .isEqualTo("stopped: ada: power work (stop); until a person ends the stop");

    cluster.heals(well);
    stopped = Optional.empty();
    rounds(Duration.ofMinutes(30));
    assertThat(last(well).phase()).as("what is true now counts").isEqualTo(Phase.NOT_NEEDED);
    assertThat(last(stillSick).phase()).isEqualTo(Phase.RETURNED);
  }

  /** By a reload. Without a report it would stay out of service unnoticed. */
  @Test
  void aHeldNodeOutsideOfTheControllersPartIsAPersonsAfterItsTime() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    GuardPolicy canary = new GuardPolicy("off", Set.of("canary"), List.of(), Set.of());
    controller =
        start(
            new Policy(
                POLICY.modes(),
                POLICY.budget(),
                POLICY.freshness(),
                POLICY.healthyFor(),
                POLICY.jobsLeaveWithin(),
                POLICY.repairWithin(),
                false,
                POLICY.waits(),
                canary,
                POLICY.ladder()));
    rounds(POLICY.deadline(Verb.REBOOT).minus(ROUND.multipliedBy(2)));
    assertThat(waiting(node).person()).isFalse();
    rounds(ROUND.multipliedBy(4));
    assertThat(waiting(node).why()).startsWith("the node is in none of canary (guard.only)");
    assertThat(waiting(node).person()).isTrue();
    assertThat(verbs()).containsExactly("drain");
  }

  @Test
  void whatBeginsAfterTheDecisionStopsTheRepairToo() throws IOException {
    Map<String, Runnable> begins =
        Map.of(
            "stopped: power work (stop); until a person ends the stop",
            () -> stopped = Optional.of("power work"),
            "the node has lapwing-drain-off (guard.opt-out); until a person removes it",
            () -> cluster.optsOut(cluster.node(1), true),
            "Karpenter is at work on the node (held by); until Karpenter has ended",
            () -> cluster.heldBy(cluster.node(1), "Karpenter"),
            "the agent's verdict is old, of ",
            () -> cluster.advance(POLICY.freshness().plusSeconds(1)));
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(ROUND.multipliedBy(3));
    assertThat(last(node).phase()).isEqualTo(Phase.DRAINED);
    for (Map.Entry<String, Runnable> one : begins.entrySet()) {
      cluster.duringEvidence = one.getValue();
      cluster.advance(ROUND);
      controller.round(() -> cluster.now);

      assertThat(verbs()).as(one.getKey()).containsExactly("drain");
      assertThat(waiting(node).why()).startsWith(one.getKey());
      assertThat(last(node).attempts()).isEmpty();
      stopped = Optional.empty();
      cluster.optsOut(node, false);
      cluster.heldBy(node, "");
    }
    cluster.duringEvidence = () -> {};
    rounds(ROUND);
    assertThat(verbs()).containsExactly("drain", "reboot_node");
  }

  private List<Entry> would() {
    return journal.entries().stream().filter(e -> e.what().startsWith("would ")).toList();
  }

  @Test
  void whatADryRunWouldDoIsInTheJournalOnceWithWhatItTouches() {
    controller = start(POLICY.all(Mode.DRY_RUN));
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofDays(2), false);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofHours(1));
    controller = start(POLICY.all(Mode.DRY_RUN));
    rounds(Duration.ofHours(1));

    assertThat(verbs()).isEmpty();
    assertThat(would())
        .extracting(Entry::what)
        .containsExactly("would drain: needs reboot_node", "would drain: needs reboot_node");
    assertThat(would().get(0).radius().orElseThrow().jobs())
        .singleElement()
        .matches(job -> job.id().equals("4711"));
    assertThat(last(node).phase()).isEqualTo(Phase.REQUESTED);
    assertThat(waiting(node).why()).isEqualTo("would drain: needs reboot_node");

    cluster.heals(node);
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).isEqualTo(Phase.NOT_NEEDED);
  }

  @Test
  void eachKindOfDecisionThatADryRunWouldMakeIsInTheJournal() {
    Map<Verb, Mode> drains = new EnumMap<>(POLICY.all(Mode.DRY_RUN).modes());
    controller = start(with(drains));
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(2), true);
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(5));
    drains.put(Verb.DRAIN, Mode.ACT);
    controller = start(with(drains));
    rounds(Duration.ofHours(4));

    assertThat(verbs()).containsExactly("drain");
    assertThat(would())
        .extracting(Entry::what)
        .containsExactly(
            "would drain: needs reboot_node",
            "would end job 4711: it is urgent",
            "would reboot: needs reboot_node");
  }

  @Test
  void observingWritesNothing() {
    controller = start(POLICY.all(Mode.OBSERVE));
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(journal.entries()).hasSize(1);
  }

  @Test
  void nodesThatWaitForAPersonDoNotUseUpTheBudget() {
    cluster.handedOver = node -> last(node).phase() == Phase.HANDED_OVER;
    for (int i = 0; i < POLICY.budget().nodes() + 1; i++) {
      FakeNode node = sick(16 * i, Remedy.REPLACE_NODE, Urgency.NOW, "xid_" + i);
      for (int round = 0; round < 3000 && last(node).phase() != Phase.HANDED_OVER; round++) {
        rounds(ROUND);
        cluster.breaks(node, Remedy.REPLACE_NODE);
      }
      assertThat(last(node).phase()).as("node %s", i).isEqualTo(Phase.HANDED_OVER);
    }
    assertThat(cluster.violations).isEmpty();
  }

  @Test
  void drainsThatAreNotCarriedOutUseUpNoBudget() {
    cluster.busy = true;
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(40));
    cluster.busy = false;
    rounds(Duration.ofMinutes(3));
    assertThat(verbs()).contains("drain");
  }
}
