package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.decisions.DecisionLog;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes of persons and of other programs, and what is left of ours. */
class OwnershipTest extends ControllerCase {

  @Test
  void aNodeThatAPersonReturnsIsTheirsUntilItsFindingEndsOrNeedsMore() throws IOException {
    FakeNode node = cluster.node(1);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    Instant began = cluster.now;
    controller = start(with(Verb.REBOOT, Mode.DRY_RUN));
    requestSince(node, began);
    rounds(Duration.ofMinutes(5));
    cluster.person(node, Service.IN_SERVICE, "");
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);

    for (int day = 0; day < 3; day++) {
      rounds(Duration.ofDays(1));
      controller = start(POLICY);
      assertThat(controller.request(alert(node, began), cluster.now).orElseThrow())
          .startsWith("another user took the node over at 2026-11-24T00:05:30Z");
      rounds(Duration.ofMinutes(5));
      assertThat(verbs()).containsExactly("drain");
    }
    requestSince(node, cluster.now);
    rounds(Duration.ofMinutes(1));
    assertThat(verbs()).as("the finding ended and began again").contains("drain", "drain");
  }

  @Test
  void aWorseFindingOrAPersonTakesANodeThatAPersonReturned() throws IOException {
    for (boolean person : new boolean[] {false, true}) {
      FakeNode node = cluster.node(person ? 1 : 31);
      cluster.breaks(node, Remedy.REBOOT_NODE);
      Instant began = cluster.now;
      requestSince(node, began);
      rounds(Duration.ofMinutes(1));
      cluster.person(node, Service.IN_SERVICE, "");
      rounds(ROUND);
      assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);

      request(
          node,
          person ? Remedy.REBOOT_NODE : Remedy.REPLACE_NODE,
          Urgency.NOW,
          person ? "" : "xid_79");
      assertThat(last(node).phase()).isEqualTo(Phase.REQUESTED);
    }
  }

  @Test
  void aNodeThatAPersonUncordonsIsTheirsAndNoneOfOurMarksStays() throws IOException {
    int index = 0;
    for (Phase phase : List.of(Phase.WAITING_FOR_JOBS, Phase.DRAINED, Phase.EVICTING)) {
      FakeNode node = cluster.node(index++ * 20);
      cluster.runs("of-" + phase, List.of(node), Duration.ofMinutes(5), false);
      cluster.pods(node, "ml/web");
      cluster.podsBlocked = true;
      Instant began = cluster.now;
      cluster.breaks(node, Remedy.REBOOT_NODE);
      requestSince(node, began);
      while (last(node).phase() != phase) {
        rounds(ROUND);
      }
      cluster.uncordons(node);
      rounds(ROUND.multipliedBy(3));

      assertThat(last(node).phase()).as("%s", phase).isEqualTo(Phase.TAKEN_OVER);
      assertThat(verbs()).as("%s", phase).endsWith("let_go").doesNotContain("reboot_node");
      assertThat(controller.request(alert(node, began), cluster.now).orElseThrow())
          .startsWith("another user took the node over at ");
      cluster.heals(node);
    }
  }

  @Test
  void anUncordonRightAfterTheDrainIsRespectedToo() {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    while (last(node).phase() != Phase.DRAINING) {
      rounds(ROUND);
    }
    cluster.uncordons(node);
    rounds(Duration.ofMinutes(10));

    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
    assertThat(verbs()).containsExactly("drain", "let_go");
  }

  /** Their cordon after it makes our marks whole again. */
  @Test
  void aNodeThatAPersonUncordonsWhileACommandRunsIsTheirs() {
    CompletableFuture<CommandResult> command = new CompletableFuture<>();
    cluster.repairsAnswer = new Running(command);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.uncordons(node);
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
    cluster.person(node, Service.OUT, "cordoned");
    List<Entry> written = List.copyOf(journal.entries());

    command.complete(new NotPossible("no such instance"));
    cluster.repairsAnswer = null;
    rounds(Duration.ofHours(1));
    assertThat(journal.entries()).isEqualTo(written);
    assertThat(verbs()).containsExactly("drain", "let_go");
  }

  /** The platform's answer may come within a second, and the repair takes an hour. */
  @Test
  void aNodeThatAPersonUncordonsAfterItsRepairBeganIsTheirs() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.uncordons(node);
    rounds(ROUND);
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
    rounds(Duration.ofHours(2));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "let_go");
  }

  @Test
  void aNodeWhoseMarksMayHaveBeenTakenOffIsTheirs() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    cluster.answersLost = true;
    cluster.uncordons(node);
    rounds(ROUND);
    assertThat(waiting(node).why()).isEqualTo("unclear: no answer");

    cluster.answersLost = false;
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
    assertThat(verbs()).containsExactly("drain", "reboot_node", "let_go");
  }

  /** A person is called to it then, and cordons it after the uncordon. */
  @Test
  void aNodeThatAPersonUncordonsWhileItsRepairIsRefusedIsTheirs() {
    cluster.repairsAnswer = new Refused("no permission");
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.DRAINED);
    rounds(Duration.ofMinutes(1));
    assertThat(waiting(node).why()).isEqualTo("refused: no permission");
    cluster.uncordons(node);
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);

    cluster.person(node, Service.OUT, "cordoned");
    cluster.repairsAnswer = null;
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "let_go");
  }

  @Test
  void marksThatAnotherUserLeftOnANodeOfALostJournalAreShown() throws IOException {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(1));
    cluster.uncordons(node);
    controller =
        new Controller(
            POLICY, cluster.ports((any, attempt) -> test, () -> stopped), new MemoryJournal());
    controller.round(cluster.now);

    assertThat(controller.state(cluster.now).orphans())
        .extracting(NodeState::name)
        .containsExactly(cluster.name(node));
  }

  @Test
  void marksThatCannotBeTakenOffAreTriedAgain() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(5), false);
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.JOB_END, "xid_1");
    while (last(node).phase() != Phase.WAITING_FOR_JOBS) {
      rounds(ROUND);
    }
    cluster.answersLost = true;
    cluster.uncordons(node);
    rounds(ROUND);
    assertThat(waiting(node).why()).isEqualTo("unclear: no answer");
    cluster.answersLost = false;
    controller = start(POLICY);
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).isEqualTo(Phase.TAKEN_OVER);
  }

  @Test
  void aNodeOfAnotherProgramIsLeftToIt() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.heldBy(node, "Karpenter");
    rounds(Duration.ofMinutes(5));
    assertThat(verbs()).isEmpty();
    assertThat(waiting(node).why())
        .isEqualTo("Karpenter is at work on the node (held by); until Karpenter has ended");

    cluster.heldBy(node, "");
    rounds(Duration.ofMinutes(1));
    cluster.heldBy(node, "Karpenter");
    rounds(Duration.ofMinutes(30));
    assertThat(verbs()).as("also when it is ours already").containsExactly("drain");
  }

  @Test
  void aDrainThatIsCarriedOutLateIsOurs() {
    stopped = Optional.of("wait");
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(2));
    cluster.person(node, Service.DRAINED, last(node).reason());
    rounds(Duration.ofMinutes(2));
    assertThat(last(node).phase().holdsNode()).isTrue();
    cluster.heals(node);
    rounds(Duration.ofMinutes(20));
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
  }

  @Test
  void aNodeThatWasTakenUnderALostJournalIsShownUntilAPersonReturnsIt() throws IOException {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(1));
    FakeNode theirs = cluster.node(2);
    cluster.person(theirs, Service.DRAINED, "lapwing-drain is broken");
    assertThat(controller.state(cluster.now).orphans()).isEmpty();

    MemoryJournal empty = new MemoryJournal();
    controller =
        new Controller(POLICY, cluster.ports((any, attempt) -> test, () -> stopped), empty);
    controller.round(cluster.now);
    assertThat(controller.state(cluster.now).orphans())
        .extracting(NodeState::name)
        .containsExactly(cluster.name(node));
    assertThat(DecisionLog.status(controller.state(cluster.now)).calls())
        .singleElement()
        .asString()
        .startsWith("n0001: taken with the reason lapwing-drain ");

    cluster.person(node, Service.IN_SERVICE, "");
    controller.round(cluster.now);
    assertThat(controller.state(cluster.now).orphans()).isEmpty();
  }

  @Test
  void aNodeThatIsGoneBeforeItWasTakenIsNobodysTakeover() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.removes(node);
    rounds(Duration.ofHours(2));
    assertThat(last(node).phase()).isEqualTo(Phase.NOT_NEEDED);
  }

  @Test
  void anEarlierReasonIsKept() {
    FakeNode node = cluster.node(1);
    cluster.person(node, Service.IN_SERVICE, "fan replaced");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));

    assertThat(last(node).earlierReason()).isEqualTo("fan replaced");
  }
}
