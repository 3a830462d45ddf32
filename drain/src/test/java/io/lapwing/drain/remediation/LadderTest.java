package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.remediation.Attempt.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One repair after the other. */
class LadderTest extends ControllerCase {

  @Test
  void aResetThatHelpsIsTheOnlyRepair() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));

    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
    assertThat(last(node).attempts())
        .extracting(Attempt::outcome)
        .containsExactly(Optional.of(Outcome.HELPED));
    assertThat(journal.entries())
        .anyMatch(e -> e.what().equals("evidence not saved: there is no disk"));
    assertThat(journal.entries())
        .filteredOn(entry -> entry.radius().isPresent())
        .extracting(entry -> entry.what().substring(0, 5))
        .containsExactly("drain", "reset");
  }

  @Test
  void whatDoesNotHelpIsFollowedByTheNextAndAtLastByAPerson() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    for (int i = 0; i < 600; i++) {
      rounds(ROUND);
      cluster.breaks(node, Remedy.RESET_GPU);
    }

    assertThat(verbs()).containsExactly("drain", "reset_gpu", "reboot_node", "replace_node");
    assertThat(last(node).phase()).isEqualTo(Phase.HANDED_OVER);
    assertThat(last(node).attempts())
        .extracting(attempt -> attempt.outcome().orElseThrow())
        .containsOnly(Outcome.NOT_HELPED);
    assertThat(waiting(node).person()).isTrue();

    cluster.heals(node);
    rounds(Duration.ofMinutes(10));
    assertThat(last(node).phase()).as("a person has repaired it").isEqualTo(Phase.RETURNED);
  }

  @Test
  void whatIsBusyIsAskedAgainAndNothingCountsAsTried() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    cluster.busy = true;
    rounds(Duration.ofMinutes(5));
    assertThat(last(node).phase()).isEqualTo(Phase.REQUESTED);
    assertThat(waiting(node).why()).isEqualTo("not yet: busy");
    cluster.busy = false;
    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).startsWith("drain");
    cluster.busy = true;
    rounds(Duration.ofHours(3));
    assertThat(last(node).attempts()).isEmpty();
    cluster.busy = false;
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");
  }

  /** A scheduler may have it from a person, of a time when the names were others. */
  @Test
  void aDriverLearnsOnWhichInstanceTheAgentIs() {
    FakeNode node = cluster.node(1);
    cluster.listedAs(node, "i-of-another-node");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    assertThat(cluster.repairs).extracting(Repair::instanceId).containsExactly("i-n0001-0");
  }

  /** Its agent is healthy, and the node failed the site's test. */
  @Test
  void aSecondRepairIsOfThatInstanceToo() {
    FakeNode node = cluster.node(1);
    cluster.listedAs(node, "i-of-another-node");
    test = new SiteTest.Failed("NCCL at 12 GB/s");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(40));
    assertThat(cluster.repairs)
        .extracting(Repair::remedy, Repair::instanceId)
        .containsExactly(
            tuple(Remedy.REBOOT_NODE, "i-n0001-0"), tuple(Remedy.REPLACE_NODE, "i-n0001-0"));
  }

  /** Such as that of a program which logs in to the node. */
  @Test
  void aCommandThatTakesMinutesHoldsUpNoOtherNode() {
    CompletableFuture<CommandResult> command = new CompletableFuture<>();
    cluster.repairsAnswer = new Running(command);
    FakeNode first = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(first, Phase.REPAIRING);
    cluster.repairsAnswer = null;
    FakeNode second = sick(41, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    roundsUntil(second, Phase.RETURNED);
    controller = start(POLICY).after(controller);
    rounds(Duration.ofHours(2));
    assertThat(waiting(first).why()).isEqualTo("the command of the repair has not ended");
    assertThat(last(first).phase()).isEqualTo(Phase.REPAIRING);

    command.complete(new Refused("no permission"));
    rounds(ROUND);
    assertThat(last(first).phase()).isEqualTo(Phase.DRAINED);
    assertThat(last(first).attempts()).isEmpty();
    assertThat(waiting(first).why()).isEqualTo("refused: no permission");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).filteredOn("reboot_node"::equals).hasSize(2);
    assertThat(last(first).phase()).isEqualTo(Phase.RETURNED);
  }

  /** It logs in to a node that may hang. */
  @Test
  void aProgramThatClosesTheGpusForMinutesHoldsUpNoOtherNode() {
    CompletableFuture<CommandResult> program = new CompletableFuture<>();
    cluster.releaseAnswer = new Running(program);
    FakeNode slow = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    roundsUntil(slow, Phase.RELEASING);
    cluster.releaseAnswer = null;
    FakeNode other = sick(41, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofMinutes(6));
    assertThat(last(other).phase()).isEqualTo(Phase.REPAIRING);
    assertThat(waiting(slow).why())
        .isEqualTo("the command of the release of the GPUs has not ended");

    program.complete(CommandResult.ACCEPTED);
    roundsUntil(slow, Phase.RETURNED);
    assertThat(last(slow).attempts())
        .as("they were closed, although the time for it is over")
        .extracting(Attempt::remedy)
        .containsExactly(Remedy.RESET_GPU);
  }

  /** The verdict is not asked for while they are closed: a person may have repaired it. */
  @Test
  void aResetThatCouldNotBeginForLongIsDecidedAnew() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.RELEASING);
    cluster.advance(POLICY.ladder().releaseFor().minusMinutes(1));
    cluster.heals(node);
    roundsUntil(node, Phase.RETURNED);
    assertThat(verbs()).containsExactly("drain", "resume");
  }

  @Test
  void aNodeForWhichNoProgramCouldBeStartedIsNotRebootedForThat() {
    cluster.releaseAnswer = new NotYet("others run");
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(20));
    assertThat(waiting(node).why()).isEqualTo("not yet: others run");
    cluster.releaseAnswer = null;
    roundsUntil(node, Phase.RETURNED);
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");
  }

  @Test
  void aProgramThatCannotCloseTheGpusIsAPersonsTask() {
    CompletableFuture<CommandResult> program = new CompletableFuture<>();
    cluster.releaseAnswer = new Running(program);
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.RELEASING);
    program.complete(new Refused("no such host"));
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.DRAINED);
    assertThat(waiting(node)).isEqualTo(new Controller.Waiting("refused: no such host", true));
  }

  @Test
  void aDriverThatFailsLeavesItUnclearWhetherTheRepairBegan() {
    cluster.repairsAnswer =
        new Running(CompletableFuture.failedFuture(new IllegalStateException("a bug")));
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.REPAIRING);
    roundsUntil(node, Phase.HANDED_OVER);
    assertThat(verbs()).containsExactly("drain");
  }

  @Test
  void aNodeThatComesBackSickAgainAndAgainIsReplaced() {
    for (int i = 0; i < 3; i++) {
      sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
      rounds(Duration.ofHours(1));
      controller = start(POLICY); // it is known from the journal
    }

    assertThat(verbs())
        .containsExactly(
            "drain",
            "reboot_node",
            "resume",
            "drain",
            "reboot_node",
            "resume",
            "drain",
            "replace_node",
            "resume");
    sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).as("its instance is another one").endsWith("drain", "reset_gpu", "resume");
  }

  @Test
  void silenceOfAnAgentWhoseNodeItsSchedulerSeesIsAPersonsTaskAndNoReasonToReplace() {
    cluster.repairsDoNothing = true;
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    while (last(node).phase() != Phase.REPAIRING) {
      rounds(ROUND);
    }
    cluster.answers(node, false);
    rounds(Duration.ofHours(5));

    assertThat(verbs()).containsExactly("drain", "reboot_node");
    assertThat(waiting(node).person()).isTrue();
    assertThat(waiting(node).why()).startsWith("the agent does not answer");
  }

  @Test
  void aRebootIsKnownByTheSchedulersBootIdIfTheAgentWasSilentBeforeIt() {
    FakeNode node = cluster.node(1);
    cluster.byBootId(node);
    sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    while (last(node).phase() != Phase.REPAIRING) {
      rounds(ROUND);
    }
    cluster.unreachable(node, true);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    while (last(node).attempts().size() < 2) {
      rounds(ROUND);
    }
    assertThat(last(node).attempts().get(1).bootId()).isEqualTo("boot-0");
    rounds(Duration.ofMinutes(5));
    cluster.unreachable(node, false);
    rounds(Duration.ofHours(2));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "reboot_node", "resume");
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
  }

  @Test
  void aRepairThatMayNeverHaveBegunIsFollowedByAPersonAndNoStrongerOne() {
    for (boolean restarted : new boolean[] {false, true}) {
      FakeNode node = sick(restarted ? 1 : 31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
      while (last(node).phase() != Phase.DRAINED) {
        rounds(ROUND);
      }
      cluster.repairsDoNothing = true;
      cluster.answersLost = !restarted;
      while (last(node).phase() != Phase.REPAIRING) {
        rounds(ROUND);
      }
      cluster.answersLost = false;
      if (restarted) {
        controller = start(POLICY);
      }
      rounds(Duration.ofHours(3));

      assertThat(last(node).phase()).as("restarted: %s", restarted).isEqualTo(Phase.HANDED_OVER);
      assertThat(last(node).attempts()).hasSize(1);
      assertThat(verbs()).doesNotContain("replace_node");
    }
  }

  @Test
  void aReloadOfTheConfigurationForgetsNoRepairThatHasBegun() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.repairsDoNothing = true;
    while (last(node).phase() != Phase.REPAIRING) {
      rounds(ROUND);
    }
    controller = start(POLICY).after(controller);
    rounds(Duration.ofHours(1));

    assertThat(verbs()).contains("replace_node");
  }

  @Test
  void aMaintenanceOfTheAgentPermitsNoStrongerRepair() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(3));
    assertThat(verbs()).containsExactly("drain", "reboot_node");
    cluster.maintains(node, true);
    cluster.breaks(node, Remedy.REPLACE_NODE);
    rounds(Duration.ofHours(12));
    assertThat(verbs()).containsExactly("drain", "reboot_node");
    assertThat(waiting(node).person()).isTrue();
    cluster.maintains(node, false);
    rounds(Duration.ofMinutes(10));
    assertThat(verbs()).startsWith("drain", "reboot_node", "replace_node");
  }

  @Test
  void anAlertMakesTheRepairOfATakenNodeNoStronger() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(2), false);
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.JOB_END, "xid_1");
    rounds(Duration.ofMinutes(10));
    assertThat(last(node).phase()).isEqualTo(Phase.WAITING_FOR_JOBS);
    request(node, Remedy.REPLACE_NODE, Urgency.JOB_END, "xid_2");
    rounds(Duration.ofHours(3));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");
  }

  @Test
  void aRepairThatFailsIsFollowedByTheNextAtOnce() {
    cluster.repairsFail = true;
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(15));

    assertThat(verbs()).containsExactly("drain", "reset_gpu", "reboot_node", "replace_node");
    assertThat(last(node).phase()).isEqualTo(Phase.HANDED_OVER);
    assertThat(last(node).attempts())
        .extracting(Attempt::outcome)
        .containsOnly(Optional.of(Outcome.FAILED));
  }

  @Test
  void aNodeThatIsHealthyWithoutItsRepairSaysWhatIsMissing() {
    FakeNode rebooted = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    FakeNode replaced = sick(31, Remedy.REPLACE_NODE, Urgency.NOW, "xid_2");
    cluster.repairsDoNothing = true;
    while (last(replaced).phase() != Phase.REPAIRING) {
      rounds(ROUND);
    }
    rounds(ROUND);
    assertThat(waiting(rebooted).why())
        .isEqualTo("being repaired, or not helped by it: needs reboot_node");

    cluster.heals(rebooted);
    cluster.heals(replaced);
    rounds(Duration.ofMinutes(10));
    assertThat(waiting(rebooted).why())
        .isEqualTo("healthy, but it has not booted since the reboot began");
    assertThat(waiting(replaced).why()).isEqualTo("healthy, but its instance is still i-n0031-0");
    assertThat(verbs()).doesNotContain("resume");
    cluster.answers(rebooted, false);
    rounds(ROUND);
    assertThat(waiting(rebooted).why())
        .isEqualTo("being repaired; the agent does not answer: connection refused");
  }

  @Test
  void aRefusedRepairIsAPersonsTaskAndBecomesNoHarderOne() {
    cluster.repairsAnswer = new Refused("AccessDenied");
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(2));

    assertThat(verbs()).containsExactly("drain");
    assertThat(last(node).remedy()).isEqualTo(Remedy.REBOOT_NODE);
    assertThat(last(node).attempts()).isEmpty();
    assertThat(waiting(node)).isEqualTo(new Controller.Waiting("refused: AccessDenied", true));

    cluster.repairsAnswer = null;
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
  }

  @Test
  void aRepairThatIsNotPossibleIsFollowedByTheNext() {
    cluster.repairsAnswer = new NotPossible("no driver is configured for reset_gpu");
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    while (last(node).remedy() == Remedy.RESET_GPU) {
      rounds(ROUND);
    }
    cluster.repairsAnswer = null;
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
  }

  /** By {@code lapwing maintenance}, while the agent closes the GPUs. */
  @Test
  void aNodeThatIsPutIntoMaintenanceBeforeItsResetIsNotReset() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.RELEASING);
    cluster.maintains(node, true);
    rounds(Duration.ofMinutes(30));
    assertThat(last(node).phase()).isEqualTo(Phase.DRAINED);
    assertThat(verbs()).containsExactly("drain");

    cluster.maintains(node, false);
    roundsUntil(node, Phase.RETURNED);
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");
  }

  @Test
  void withoutTheAgentsReleaseNoGpuIsReset() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    while (last(node).phase() != Phase.RELEASING) {
      rounds(ROUND);
    }
    cluster.answers(node, false);
    rounds(Duration.ofMinutes(50));
    assertThat(verbs()).as("a silent agent permits nothing").containsExactly("drain");
    assertThat(waiting(node))
        .isEqualTo(new Controller.Waiting("the agent does not answer: connection refused", true));

    cluster.answers(node, true);
    rounds(Duration.ofMinutes(1));
    assertThat(verbs()).containsExactly("drain", "reboot_node");
  }
}
