package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.GuardPolicy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.Window;
import io.lapwing.drain.remediation.Attempt.Outcome;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes whose machine goes, or is another one. */
class MachinesTest extends ControllerCase {

  @Test
  void aNodeThatItsPlatformReturnsIsRepairedOrTakenAgain() {
    FakeNode well = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    FakeNode ill = sick(31, Remedy.REPLACE_NODE, Urgency.NOW, "xid_2");
    FakeNode same = sick(61, Remedy.REPLACE_NODE, Urgency.NOW, "xid_3");
    rounds(Duration.ofMinutes(4));
    assertThat(verbs()).containsOnly("drain", "replace_node");
    cluster.person(same, Service.IN_SERVICE, "");
    rounds(Duration.ofMinutes(3));
    cluster.person(well, Service.IN_SERVICE, "");
    cluster.person(ill, Service.IN_SERVICE, "");
    cluster.breaks(ill, Remedy.REPLACE_NODE);
    rounds(Duration.ofMinutes(1));
    assertThat(last(well).phase()).isEqualTo(Phase.RETURNED);
    assertThat(last(well).attempts().get(0).outcome()).contains(Outcome.HELPED);
    assertThat(last(ill).phase()).isNotEqualTo(Phase.TAKEN_OVER);
    rounds(Duration.ofMinutes(5));
    assertThat(cluster.service(ill)).isEqualTo(Service.DRAINED);
  }

  /** What a power-down as repair comes to; a person has nothing to repair. */
  @Test
  void aNodeThatIsPoweredDownForItsReplacementIsReturned() {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.powersDown(node);
    rounds(Duration.ofMinutes(1));

    assertThat(verbs()).containsExactly("drain", "replace_node", "resume");
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
    assertThat(last(node).attempts())
        .extracting(Attempt::outcome)
        .containsExactly(Optional.of(Outcome.HELPED));
    assertThat(journal.entries())
        .last()
        .extracting(Entry::what)
        .isEqualTo("it is powered down, and another machine is started for a job");
  }

  /** Slurm keeps the drain of an idle node that it powers down, so that no job would start it. */
  @Test
  void aNodeThatPowerSavingTakesFromUsIsReturned() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    cluster.powersDown(node);
    rounds(Duration.ofMinutes(1));

    assertThat(verbs()).containsExactly("drain", "resume");
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
  }

  @Test
  void aNodeThatIsPoweredDownAndCannotBeReturnedIsAPersonsAndTriedAgain() {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.powersDown(node);
    cluster.refuses = true;
    rounds(Duration.ofMinutes(25));
    assertThat(last(node).phase()).isEqualTo(Phase.HANDED_OVER);
    assertThat(waiting(node).person()).isTrue();
    assertThat(journal.entries()).filteredOn(e -> e.what().startsWith("refused")).hasSize(1);
    cluster.refuses = false;
    rounds(Duration.ofMinutes(10));
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
  }

  @Test
  void aNodeThatIsPoweredDownBeforeItIsTakenNeedsNothing() {
    stopped = Optional.of("ada");
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    cluster.powersDown(node);
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.NOT_NEEDED);
    assertThat(verbs()).isEmpty();
  }

  @Test
  void aHealthyNodeThatIsRegisteredAnewWasReplaced() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    cluster.heals(node);
    cluster.registersAnew(node);
    cluster.person(node, Service.OUT, "tainted startup:NoSchedule");
    rounds(ROUND);
    assertThat(waiting(node).why())
        .isEqualTo(
            "its scheduler has registered the node again, and is not in service yet: tainted"
                + " startup:NoSchedule");
    cluster.person(node, Service.IN_SERVICE, "");
    rounds(ROUND);

    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
    assertThat(verbs()).containsExactly("drain");
  }

  /** Its marks went with the registration: no user has taken them off. */
  @Test
  void aSickNodeThatIsRegisteredAnewIsTakenAgain() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    cluster.registersAnew(node);
    rounds(Duration.ofMinutes(5));
    assertThat(last(node).phase()).isEqualTo(Phase.DRAINED);
    assertThat(verbs()).containsExactly("drain", "drain");

    cluster.person(node, Service.IN_SERVICE, "");
    rounds(ROUND);
    assertThat(last(node).phase()).as("a user has, of the new one").isEqualTo(Phase.TAKEN_OVER);
  }

  @Test
  void aNodeThatIsRegisteredAnewAndSilentIsAskedUntilItAnswers() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    cluster.registersAnew(node);
    cluster.answers(node, false);
    rounds(Duration.ofMinutes(2));
    assertThat(last(node).phase()).isEqualTo(Phase.DRAINED);
    rounds(POLICY.deadline(Verb.REPLACE));
    assertThat(last(node).phase()).isEqualTo(Phase.REQUESTED);
    assertThat(verbs()).containsExactly("drain");
    cluster.answers(node, true);
    rounds(Duration.ofMinutes(3));
    assertThat(verbs()).containsExactly("drain", "drain");
  }

  @Test
  void hardwareThatComesBackInAnotherInstanceIsKnownByItsSerialNumber() {
    for (int i = 0; i < 5; i++) {
      cluster.serial(cluster.node(1 + i), "host-7");
      sick(1 + i, Remedy.REBOOT_NODE, Urgency.NOW, "xid_" + i);
      rounds(Duration.ofHours(1));
      cluster.serial(cluster.node(1 + i), "");
    }

    assertThat(verbs())
        .filteredOn(verb -> verb.startsWith("re") && !verb.equals("resume"))
        .containsExactly("reboot_node", "reboot_node", "replace_node", "replace_node");
    assertThat(last(cluster.node(5)).phase())
        .as("replaced twice, and the same again")
        .isEqualTo(Phase.HANDED_OVER);
  }

  /** Two GPUs of a host may need one each. */
  @Test
  void resetsAreNoReasonToReplaceANode() {
    cluster.serial(cluster.node(1), "host-7");
    for (int i = 0; i < 4; i++) {
      sick(1, Remedy.RESET_GPU, Urgency.NOW, "row_remap_pending");
      rounds(Duration.ofHours(1));
    }
    assertThat(verbs()).doesNotContain("replace_node").filteredOn("reset_gpu"::equals).hasSize(4);
  }

  /** A mode that is set to act would replace all nodes that wait for it at once. */
  @Test
  void replacementsHaveALimitByRateOverARestartToo() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    for (int i = 0; i < 4; i++) {
      sick(1 + 20 * i, Remedy.REPLACE_NODE, Urgency.NOW, "xid_" + i);
      rounds(Duration.ofMinutes(2));
    }
    controller = start(POLICY);
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).filteredOn("replace_node"::equals).hasSize(2);
    assertThat(controller.waiting().values())
        .filteredOn(one -> one.why().startsWith("2 replacements within an hour"))
        .hasSize(2);

    controller = start(POLICY);
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).filteredOn("replace_node"::equals).hasSize(2);
    rounds(Duration.ofMinutes(60));
    assertThat(verbs()).filteredOn("replace_node"::equals).hasSize(4);
  }

  @Test
  void replacementsThatWereNotBegunDoNotCountOverARestartEither() {
    List<CompletableFuture<CommandResult>> commands = new ArrayList<>();
    List<FakeNode> nodes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      commands.add(new CompletableFuture<>());
      cluster.repairsAnswer = new Running(commands.get(i));
      nodes.add(sick(1 + 20 * i, Remedy.REPLACE_NODE, Urgency.NOW, "xid_" + i));
      roundsUntil(nodes.get(i), Phase.REPAIRING);
    }
    cluster.repairsAnswer = null;
    FakeNode third = sick(61, Remedy.REPLACE_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofMinutes(5));
    assertThat(last(third).phase()).as("two may have begun").isEqualTo(Phase.DRAINED);

    commands.get(0).complete(new Refused("no permission"));
    commands.get(1).complete(new NotPossible("no such instance"));
    stopped = Optional.of("restart");
    rounds(ROUND);
    assertThat(last(nodes.get(1)).phase()).isEqualTo(Phase.HANDED_OVER);
    controller = start(POLICY);
    stopped = Optional.empty();
    rounds(Duration.ofMinutes(3));
    assertThat(last(third).phase()).isEqualTo(Phase.REPAIRING);
    assertThat(last(nodes.get(0)).phase()).isEqualTo(Phase.REPAIRING);
    assertThat(verbs()).filteredOn("replace_node"::equals).hasSize(2);
  }

  /** On ParallelCluster: a drained node would be replaced before any later check. */
  @Test
  void whereTheDrainReplacesTheDrainHasTheLimitOfReplacements() {
    cluster.drainReplaces = true;
    for (int i = 0; i < 3; i++) {
      sick(1 + 20 * i, Remedy.REPLACE_NODE, Urgency.NOW, "xid_" + i);
    }
    rounds(Duration.ofMinutes(30));
    assertThat(verbs())
        .as("what is drained is not held up")
        .filteredOn(verb -> !verb.equals("resume"))
        .containsExactlyInAnyOrder("drain", "drain", "replace_node", "replace_node");
    controller = start(POLICY);
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).filteredOn("drain"::equals).hasSize(2);
    assertThat(controller.waiting().values())
        .singleElement()
        .satisfies(one -> assertThat(one.why()).startsWith("2 replacements within an hour"));
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).filteredOn("drain"::equals).hasSize(3);
  }

  /** Each other check of a replacement comes when the instance is gone. */
  @Test
  void whereTheDrainReplacesAWindowThatRefusesReplacementsStopsTheDrain() {
    for (boolean refuses : new boolean[] {true, false}) {
      controller = start(POLICY.guardedBy(notNow(refuses)));
      FakeNode node = sick(refuses ? 1 : 31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_" + refuses);
      cluster.drainReplaces = true;
      rounds(Duration.ofMinutes(10));
      assertThat(last(node).phase()).isEqualTo(Phase.REQUESTED);
      assertThat(waiting(node).why()).containsOnlyOnce("(guard.windows)");
      cluster.drainReplaces = false;
      rounds(Duration.ofMinutes(5));
      assertThat(last(node).phase()).isNotEqualTo(Phase.REQUESTED);
    }
  }

  /** A node that is drained and has no job any more is replaced at once. */
  @Test
  void whereTheDrainReplacesThatWindowStopsTheEndOfJobsToo() {
    cluster.drainReplaces = true;
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(9), true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    roundsUntil(node, Phase.WAITING_FOR_JOBS);
    controller = start(POLICY.guardedBy(notNow(true))).after(controller);
    node.urgency = Urgency.NOW;
    rounds(Duration.ofMinutes(10));
    assertThat(verbs()).containsExactly("drain");
    assertThat(waiting(node).why()).containsOnlyOnce("(guard.windows)");
    cluster.drainReplaces = false;
    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).startsWith("drain", "end");
  }

  /** For replacements, by a window that refuses or by one that permits. */
  private static GuardPolicy notNow(boolean refuses) {
    LocalTime midnight = LocalTime.MIDNIGHT;
    Set<DayOfWeek> days = refuses ? EnumSet.allOf(DayOfWeek.class) : Set.of(DayOfWeek.SUNDAY);
    Window window =
        new Window(days, midnight, midnight, ZoneOffset.UTC, Set.of(Verb.REPLACE), refuses);
    return new GuardPolicy("off", Set.of(), List.of(window), Set.of());
  }

  /** Whatever led to these modes. */
  @Test
  void whereTheDrainReplacesNothingIsDrainedWithoutTheModeOfReplacements() {
    cluster.drainReplaces = true;
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(5));
    assertThat(verbs()).isEmpty();
    assertThat(waiting(node).why()).contains("(mode.replace)");

    controller = start(POLICY).after(controller);
    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).startsWith("drain");
  }

  /** The journal has only that they were tried. */
  @Test
  void drainsThatWereNotCarriedOutDoNotCountAfterAReload() {
    cluster.drainReplaces = true;
    cluster.busy = true;
    FakeNode first = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    FakeNode second = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofMinutes(3));
    controller = start(POLICY).after(controller);
    cluster.busy = false;
    rounds(Duration.ofMinutes(3));
    assertThat(last(first).phase()).isNotEqualTo(Phase.REQUESTED);
    assertThat(last(second).phase()).isNotEqualTo(Phase.REQUESTED);

    controller = start(POLICY).after(controller);
    FakeNode third = sick(61, Remedy.REBOOT_NODE, Urgency.NOW, "xid_3");
    rounds(Duration.ofMinutes(3));
    assertThat(waiting(third).why()).as("two were").startsWith("2 replacements within an hour");
  }

  /** The same without a restart. */
  @Test
  void aReplacementThatWasNotBegunLeavesItsPlaceToAnother() {
    CompletableFuture<CommandResult> command = new CompletableFuture<>();
    cluster.repairsAnswer = new Running(command);
    FakeNode first = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_0");
    roundsUntil(first, Phase.REPAIRING);
    command.complete(new NotPossible("no such instance"));
    cluster.repairsAnswer = null;
    for (int i = 1; i < 3; i++) {
      FakeNode next = sick(1 + 20 * i, Remedy.REPLACE_NODE, Urgency.NOW, "xid_" + i);
      rounds(Duration.ofMinutes(5));
      assertThat(last(next).phase()).isEqualTo(Phase.REPAIRING);
    }
  }

  @Test
  void aNodeThatTheSchedulerNoLongerListsIsGivenUp() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofDays(1), true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    rounds(Duration.ofMinutes(3));
    cluster.removes(node);
    rounds(Duration.ofMinutes(59));
    assertThat(controller.open()).isNotEmpty();
    rounds(Duration.ofMinutes(2));
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
  }

  /** On Kubernetes its successor has another name; the budget is free then. */
  @Test
  void aReplacedNodeThatIsNoLongerListedIsDone() {
    cluster.repairsDoNothing = true;
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.removes(node);
    rounds(Duration.ofMinutes(14));
    assertThat(last(node).phase()).isEqualTo(Phase.REPAIRING);
    rounds(Duration.ofMinutes(2));
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
    assertThat(last(node).attempts().get(0).outcome()).contains(Outcome.HELPED);
  }

  /** It may not be repaired: without a remediation a sick node would stay in service. */
  @Test
  void aNodeInServiceWhoseAgentIsSilentAfterItsRepairIsAPersonsTask() {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.person(node, Service.IN_SERVICE, "");
    cluster.answers(node, false);
    rounds(Duration.ofMinutes(70));

    assertThat(last(node).phase()).isEqualTo(Phase.REPAIRING);
    assertThat(waiting(node).person()).isTrue();
    assertThat(waiting(node).why()).startsWith("in service again; the agent does not answer");
  }
}
