package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.decisions.DecisionLog;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ControllerTest {

  private static final Duration ROUND = Duration.ofSeconds(30);
  private static final Policy POLICY = Policy.DEFAULT.all(Mode.ACT);

  private final FakeCluster cluster = new FakeCluster(100, POLICY);
  private final MemoryJournal journal = new MemoryJournal();
  private Optional<String> stopped = Optional.empty();
  private SiteTest.Result test = SiteTest.PASSED;
  private Controller controller = start(POLICY);

  private Controller start(Policy policy) {
    return new Controller(policy, cluster.ports((node, attempt) -> test, () -> stopped), journal);
  }

  private void request(FakeNode node, Remedy remedy, Urgency urgency, String rule) {
    Request request =
        new Request(
            "key", cluster.name(node), remedy, urgency, rule, "an alert", "am", cluster.now, false);
    try {
      assertThat(controller.request(request, cluster.now)).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Request byPerson(FakeNode node, Remedy remedy, Urgency urgency) {
    return new Request(
        "key", cluster.name(node), remedy, urgency, "", "ada", "operator", cluster.now, false);
  }

  /** Breaks a node and asks for what it needs. */
  private FakeNode sick(int index, Remedy remedy, Urgency urgency, String rule) {
    FakeNode node = cluster.node(index);
    cluster.breaks(node, remedy);
    request(node, remedy, urgency, rule);
    return node;
  }

  private void rounds(Duration time) {
    try {
      for (int i = 0; i < time.dividedBy(ROUND); i++) {
        cluster.advance(ROUND);
        controller.round(cluster.now);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(cluster.violations).isEmpty();
  }

  /** The verbs of the commands so far. */
  private List<String> verbs() {
    return cluster.commands.stream()
        .map(command -> command.substring(0, command.indexOf(' ')))
        .toList();
  }

  private Controller.Waiting waiting(FakeNode node) {
    return Objects.requireNonNull(controller.waiting().get(cluster.name(node)));
  }

  private Remediation last(FakeNode node) {
    List<Entry> entries = new ArrayList<>(journal.entries());
    entries.removeIf(entry -> !entry.state().node().equals(cluster.name(node)));
    return entries.get(entries.size() - 1).state();
  }

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

  @Test
  void nodesThatAreHealthyAreNoSystemicFault() {
    for (int i = 0; i < 3; i++) {
      request(cluster.node(20 * i), Remedy.REBOOT_NODE, Urgency.NOW, "xid_79");
    }
    FakeNode node = sick(61, Remedy.REBOOT_NODE, Urgency.NOW, "xid_79");
    rounds(ROUND.multipliedBy(2));

    assertThat(verbs()).containsExactly("drain");
    assertThat(cluster.service(node)).isEqualTo(Service.DRAINED);
  }

  @Test
  void fourNodesThatReallyFailAreNotTakenOneByOne() {
    for (int i = 0; i < 4; i++) {
      sick(20 * i, Remedy.REBOOT_NODE, Urgency.NOW, "xid_79");
    }
    request(cluster.node(90), Remedy.REBOOT_NODE, Urgency.NOW, "xid_79");
    rounds(Duration.ofMinutes(29));

    assertThat(verbs()).isEmpty();
    assertThat(waiting(cluster.node(0)).why()).contains("xid_79 is on 4 nodes at once");
  }

  private void requestSince(FakeNode node, Instant since) throws IOException {
    assertThat(controller.request(alert(node, since), cluster.now)).isEmpty();
  }

  private Request alert(FakeNode node, Instant since) {
    return new Request(
        "key",
        cluster.name(node),
        Remedy.REBOOT_NODE,
        Urgency.NOW,
        "xid_79",
        "an alert",
        "am",
        since,
        false);
  }

  @Test
  void afterARestartARepeatedAlertSaysWhenItsFindingBegan() throws IOException {
    stopped = Optional.of("wait");
    Instant began = cluster.now;
    for (int i = 0; i < 4; i++) {
      cluster.breaks(cluster.node(20 * i), Remedy.REBOOT_NODE);
      requestSince(cluster.node(20 * i), began);
      rounds(Duration.ofMinutes(15));
    }
    requestSince(cluster.node(90), began.minus(Duration.ofDays(1)));
    controller = start(POLICY);
    for (int i = 0; i < 4; i++) {
      requestSince(cluster.node(20 * i), began);
    }
    rounds(ROUND.multipliedBy(2));

    assertThat(last(cluster.node(90)).phase()).isEqualTo(Phase.NOT_NEEDED);
    assertThat(waiting(cluster.node(0)).why()).contains("xid_79 is on 4 nodes at once");
  }

  @Test
  void aRequestThatCannotBeWrittenDoesNotCount() throws IOException {
    for (int i = 0; i < 4; i++) {
      journal.killAfter(1, false);
      FakeNode node = cluster.node(20 * i);
      Request lost = alert(node, cluster.now);
      assertThatThrownBy(() -> controller.request(lost, cluster.now))
          .isInstanceOf(MemoryJournal.Killed.class);
    }
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_79");
    rounds(ROUND);
    assertThat(verbs()).containsExactly("drain");
  }

  @Test
  void theAgentsOfARoundAreAskedAtOnceBeforeItsFirstStep() throws IOException {
    List<List<NodeName>> asked = new ArrayList<>();
    HealthReader agents =
        new HealthReader() {
          @Override
          public Answer ask(NodeName node) {
            throw new AssertionError(node + " is asked alone");
          }

          @Override
          public Map<NodeName, Answer> askAll(List<NodeName> nodes) {
            asked.add(nodes);
            Map<NodeName, Answer> answers = new HashMap<>();
            nodes.forEach(node -> answers.put(node, cluster.ask(node)));
            return answers;
          }
        };
    controller =
        new Controller(POLICY, Ports.of(cluster, cluster, agents, Optional::empty), journal);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    FakeNode others = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    request(cluster.node(61), Remedy.REBOOT_NODE, Urgency.NOW, "xid_3");
    cluster.person(others, Service.DRAINED, "ada: cable");
    rounds(ROUND);

    assertThat(asked)
        .as("each agent whose answer may matter")
        .containsExactly(List.of(cluster.name(node), cluster.name(cluster.node(61))));
    rounds(Duration.ofMinutes(30));
    assertThat(verbs())
        .as("with answers of the same round")
        .contains("drain", "reboot_node", "resume");
  }

  @Test
  void aRequestIsDecidedWithoutTheAgentsOfOtherNodes() throws IOException {
    FakeNode held = sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    rounds(ROUND);
    FakeNode node = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    assertThat(controller.isRequested()).isTrue();
    cluster.advance(Duration.ofMinutes(1));
    Remediation before = last(held);

    controller.roundOfRequested(() -> cluster.now);

    assertThat(cluster.service(node)).isEqualTo(Service.DRAINED);
    assertThat(last(held)).as("left to the next round").isEqualTo(before);
    assertThat(controller.isRequested()).isFalse();
    rounds(Duration.ofMinutes(30));
    assertThat(verbs()).contains("replace_node", "reboot_node", "resume");
  }

  /** A round with slow agents lasts for seconds, in which others go on. */
  @Test
  void theClusterIsReadAgainBeforeACommandIfTheRoundWasLong() throws IOException {
    for (Duration took : List.of(Duration.ofMillis(100), Duration.ofSeconds(1))) {
      boolean longRound = took.compareTo(Duration.ofMillis(500)) > 0;
      Instant[] now = {cluster.now};
      HealthReader agents =
          name -> {
            now[0] = now[0].plus(took);
            cluster.schedulerDown = true;
            return cluster.ask(name);
          };
      controller =
          new Controller(POLICY, Ports.of(cluster, cluster, agents, Optional::empty), journal);
      FakeNode node = sick(longRound ? 31 : 1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_" + took);
      controller.round(() -> now[0]);

      assertThat(cluster.service(node)).isEqualTo(longRound ? Service.IN_SERVICE : Service.DRAINED);
      cluster.schedulerDown = false;
      cluster.advance(Duration.ofHours(1));
    }
  }

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

  @Test
  void aNodeThatComesBackSickAgainAndAgainIsReplaced() {
    for (int i = 0; i < 3; i++) {
      sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
      rounds(Duration.ofHours(1));
      controller = start(POLICY); // it is known from the journal
    }

    assertThat(verbs())
        .containsExactly(
            "drain",
            "reset_gpu",
            "resume",
            "drain",
            "reset_gpu",
            "resume",
            "drain",
            "replace_node",
            "resume");
    sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).as("its instance is another one").endsWith("drain", "reset_gpu", "resume");
  }

  @Test
  void aDrainEndsNoJobUnlessThatIsPermittedToo() {
    controller = start(with(Verb.END_JOB, Mode.DRY_RUN));
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(2), true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(110));

    assertThat(verbs()).containsExactly("drain");
    assertThat(waiting(node).why()).isEqualTo("job 4711: it is urgent; would end it");
    rounds(Duration.ofMinutes(60));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
  }

  @Test
  void theRulesOfTheAgentSayHowLongJobsAreWaitedForUnderAnyAlert() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(9), true);
    cluster.finds(cluster.node(1), "xid_79", "nvlink_down");
    sick(1, Remedy.REPLACE_NODE, Urgency.JOB_END, "LapwingNodeReplace");
    cluster.runs("4712", List.of(cluster.node(50)), Duration.ofHours(9), true);
    cluster.finds(cluster.node(50), "xid_94");
    FakeNode waits = sick(50, Remedy.RESET_GPU, Urgency.NOW, "LapwingGpuReset");
    rounds(Duration.ofMinutes(30));

    assertThat(cluster.commands).filteredOn(one -> one.startsWith("end 4711")).hasSize(1);
    assertThat(cluster.commands).noneMatch(one -> one.startsWith("end 4712"));
    assertThat(waiting(waits).why())
        .startsWith("job 4712: a job is never ended for xid_94 (wait.always)");
  }

  @Test
  void aJobEndsAtItsNextCheckpoint() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(9), true);
    rounds(Duration.ofMinutes(5));
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NEXT_CHECKPOINT, "xid_1");
    rounds(Duration.ofMinutes(14));
    assertThat(verbs()).containsExactly("drain");
    assertThat(waiting(node).why())
        .isEqualTo("job 4711: how often such a node fails is unknown (wait.hazards); waiting");

    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).startsWith("drain", "end");
    assertThat(last(node).endedJobs()).extracting(EndedJob::job).containsExactly("4711");
  }

  /** An alert says nothing of it, and its default is the end of the job. */
  @Test
  void aJobIsEndedAsUrgentlyAsTheAgentSays() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(9), true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    rounds(Duration.ofMinutes(10));
    assertThat(waiting(node).why())
        .isEqualTo("job 4711: it can wait for the end of the job; waiting");

    node.urgency = Urgency.NOW;
    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).startsWith("drain", "end");
  }

  @Test
  void aJobIsEndedOnceForAllItsNodesThatAreRequested() {
    cluster.runs("4711", List.of(cluster.node(1), cluster.node(31)), Duration.ofHours(9), true);
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    sick(61, Remedy.REBOOT_NODE, Urgency.NOW, "xid_3");
    rounds(Duration.ofMinutes(3));

    assertThat(cluster.commands)
        .extracting(command -> command.substring(0, command.lastIndexOf(" lap")))
        .containsSubsequence("drain n0001", "drain n0031", "end 4711")
        .doesNotHaveDuplicates();
  }

  @Test
  void aJobIsNotEndedMoreOftenThanPermitted() {
    for (int i = 0; i < 3; i++) {
      cluster.runs("4711", List.of(cluster.node(i)), Duration.ofHours(20), true);
      sick(i, Remedy.REBOOT_NODE, Urgency.NOW, "xid_" + i);
      rounds(Duration.ofHours(1));
    }

    assertThat(verbs()).filteredOn("end"::equals).hasSize(2);
    assertThat(waiting(cluster.node(2)).why())
        .isEqualTo("job 4711: it is urgent; it was ended 2 times already (wait.restarts)");
  }

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
  void otherPodsLeaveBeforeARebootAndNotBeforeAReset() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web", "ml/cache");
    sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");

    cluster.commands.clear();
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofMinutes(4));
    assertThat(verbs()).as("told once").containsExactly("drain", "evict");
    assertThat(waiting(node).why()).isEqualTo("is leaving: ml/cache, ml/web");
    assertThat(journal.entries())
        .extracting(Entry::what)
        .contains("has to leave before the reboot: ml/cache, ml/web", "evict ml/cache, ml/web");
    cluster.podsLeave(node);
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "evict", "reboot_node", "resume");
  }

  @Test
  void aPodThatMayNotLeaveIsAPersonsTaskAndKeepsTheNodeFromTheReboot() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web");
    cluster.podsBlocked = true;
    sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(10));
    assertThat(waiting(node)).isEqualTo(new Controller.Waiting("not yet: its budget", false));
    rounds(Duration.ofHours(3));

    assertThat(waiting(node))
        .isEqualTo(new Controller.Waiting("overdue, a person has to end it: ml/web", true));
    assertThat(verbs()).containsOnly("drain", "evict");
    assertThat(verbs()).as("a minute apart, half an hour").hasSizeBetween(10, 31);
    stopped = Optional.of("ada: wait");
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).as("what stops harm stops it").isEqualTo(Phase.DRAINED);
    stopped = Optional.empty();
    cluster.podsBlocked = false;
    rounds(Duration.ofMinutes(3));
    cluster.podsLeave(node);
    rounds(Duration.ofHours(1));
    assertThat(verbs()).endsWith("evict", "replace_node", "resume");
  }

  @Test
  void aPodThatHangsWhileItLeavesIsRebootedAway() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(25));
    assertThat(verbs()).containsExactly("drain", "evict");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "evict", "reboot_node", "resume");
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
  void theTimeOfAHealthyNodeBeginsAgainAfterNobodyHasLooked() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    while (last(node).phase() != Phase.REPAIRING || cluster.sick().contains(cluster.name(node))) {
      rounds(ROUND);
    }
    rounds(ROUND);
    cluster.schedulerDown = true;
    rounds(Duration.ofHours(1));
    cluster.schedulerDown = false;
    rounds(POLICY.healthyFor().minus(ROUND));
    assertThat(verbs()).as("blind for an hour").doesNotContain("resume");

    cluster.heldBy(node, "Karpenter");
    rounds(Duration.ofHours(1));
    cluster.heldBy(node, "");
    rounds(POLICY.healthyFor().minus(ROUND));
    assertThat(verbs()).as("another program for an hour").doesNotContain("resume");
    rounds(ROUND.multipliedBy(3));
    assertThat(verbs()).endsWith("resume");
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

  private void roundsUntil(FakeNode node, Phase phase) {
    for (int i = 0; i < 600 && last(node).phase() != phase; i++) {
      rounds(ROUND);
    }
    assertThat(last(node).phase()).isEqualTo(phase);
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
  void aNodeThatFailsTheSitesTestGoesUpTheLadder() {
    test = new SiteTest.Failed("NCCL at 12 GB/s");
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "reboot_node");

    test = new SiteTest.Running();
    rounds(Duration.ofMinutes(20));
    assertThat(waiting(node).why()).isEqualTo("the site's test is running");
    test = new SiteTest.NotRun("no such file");
    rounds(Duration.ofHours(2));
    assertThat(waiting(node).why()).isEqualTo("the site's test did not run: no such file");
    assertThat(waiting(node).person()).isTrue();
    assertThat(verbs()).as("nothing is known of the node").endsWith("reboot_node");
    test = SiteTest.PASSED;
    rounds(Duration.ofMinutes(2));
    assertThat(verbs()).endsWith("resume");
  }

  @Test
  void aNodeThatFailedTheSitesTestIsTestedAgainBeforeAnythingElse() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    test = new SiteTest.Failed("NCCL at 12 GB/s");
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reboot_node");
    assertThat(waiting(node).person()).isTrue();

    test = SiteTest.PASSED; // a person repaired it, and restarts the controller with more rights
    controller = start(POLICY);
    rounds(Duration.ofMinutes(20));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
  }

  @Test
  void aPersonsNodeIsReturnedWhenItPassesTheSitesTestAtLast() {
    controller = start(with(Verb.REPLACE, Mode.DRY_RUN));
    test = new SiteTest.Failed("NCCL at 12 GB/s");
    sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    controller = start(POLICY);
    rounds(Duration.ofHours(3));
    assertThat(verbs()).containsExactly("drain", "replace_node");
    test = SiteTest.PASSED;
    rounds(Duration.ofMinutes(70));
    assertThat(verbs()).endsWith("resume");
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
  void aReturnIsNotTurnedIntoARepairBecauseTheAgentIsSilent() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    while (!verbs().contains("reboot_node")) {
      rounds(ROUND);
    }
    cluster.busy = true;
    rounds(Duration.ofMinutes(15));
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNING);
    cluster.answers(node, false);
    rounds(Duration.ofMinutes(5));
    cluster.busy = false;
    rounds(Duration.ofMinutes(2));
    cluster.answers(node, true);
    rounds(Duration.ofMinutes(5));
    assertThat(verbs()).doesNotContain("replace_node").endsWith("resume");
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

  private static Policy with(Verb verb, Mode mode) {
    Map<Verb, Mode> modes = new EnumMap<>(POLICY.modes());
    modes.put(verb, mode);
    return with(modes);
  }

  private static Policy with(Map<Verb, Mode> modes) {
    return new Policy(
        modes,
        POLICY.budget(),
        POLICY.freshness(),
        POLICY.healthyFor(),
        POLICY.jobsLeaveWithin(),
        POLICY.repairWithin(),
        false,
        POLICY.waits(),
        POLICY.guard(),
        POLICY.ladder());
  }

  /** The command may have been lost, or the job may not end: to repeat it could end it twice. */
  @Test
  void aJobThatWasEndedAndStaysIsAPersonsTask() {
    cluster.jobsLeaveLate = true;
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofHours(9), true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(9));
    assertThat(waiting(node))
        .isEqualTo(
            new Controller.Waiting(
                "job 4711: it is urgent; it was ended at 2026-11-24T00:01:30Z and has not left yet",
                false));
  }

  /** The agent was healthy for a moment only. */
  @Test
  void aNodeThatIsSickAgainIsNotReturned() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    while (cluster.sick().contains(cluster.name(node))) {
      rounds(ROUND);
    }
    cluster.breaks(node, Remedy.REBOOT_NODE);
    rounds(Duration.ofMinutes(10));

    assertThat(verbs()).containsExactly("drain", "reboot_node");
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

  @Test
  void aNodeIsNotReturnedBeforeTheAgentSeesAllGpus() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.sees(node, 7);
    rounds(Duration.ofMinutes(25));
    assertThat(verbs()).containsExactly("drain", "reboot_node");

    cluster.sees(node, 8);
    rounds(Duration.ofMinutes(7));
    assertThat(verbs()).containsExactly("drain", "reboot_node", "resume");
  }

  /** A watch may have missed a pod that was bound just before the cordon. */
  @Test
  void thatTheLastJobHasLeftIsAskedAfresh() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    cluster.runs("4711", List.of(node), Duration.ofHours(9), true);
    cluster.watchMissesJobs = true;
    rounds(Duration.ofMinutes(10));
    assertThat(last(node).phase()).isEqualTo(Phase.WAITING_FOR_JOBS);
    assertThat(waiting(node).why()).isEqualTo("a job may still run on it");
    cluster.watchMissesJobs = false;
    rounds(Duration.ofMinutes(1));
    assertThat(waiting(node).why()).startsWith("job 4711: ");
  }

  @Test
  void theRemedyOfAPersonIsNotThatOfAnAlert() throws IOException {
    for (boolean alertFirst : List.of(true, false)) {
      FakeNode node = cluster.node(alertFirst ? 1 : 31);
      cluster.breaks(node, Remedy.RESET_GPU);
      Request asked = byPerson(node, Remedy.RESET_GPU, Urgency.NOW);
      if (alertFirst) {
        request(node, Remedy.REPLACE_NODE, Urgency.JOB_END, "xid_1");
      }
      assertThat(controller.request(asked, cluster.now)).isEmpty();
      if (!alertFirst) {
        request(node, Remedy.REPLACE_NODE, Urgency.JOB_END, "xid_1");
      }
      rounds(Duration.ofMinutes(20));
      assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
    }
    assertThat(verbs()).doesNotContain("replace_node");
  }

  @Test
  void aPersonMayHaveAJobEndLaterThanTheAgentAsks() throws IOException {
    FakeNode node = cluster.node(1);
    cluster.runs("4711", List.of(node), Duration.ofHours(9), true);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    node.urgency = Urgency.NOW;
    Request asked = byPerson(node, Remedy.REBOOT_NODE, Urgency.JOB_END);
    assertThat(controller.request(asked, cluster.now)).isEmpty();
    rounds(Duration.ofMinutes(10));
    assertThat(verbs()).containsExactly("drain");
  }

  @Test
  void aPersonIsToldOfAHealthyNodeWithTooFewGpus() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.runs("4711", List.of(node), Duration.ofMinutes(5), true);
    cluster.sees(node, 7);
    rounds(Duration.ofMinutes(2));
    cluster.heals(node);
    rounds(Duration.ofHours(1));
    assertThat(waiting(node))
        .isEqualTo(
            new Controller.Waiting(
                "healthy, but the agent sees 7 of the scheduler's 8 GPUs", true));
  }

  @Test
  void aNodeThatIsGoneBeforeItWasTakenIsNobodysTakeover() {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    cluster.removes(node);
    rounds(Duration.ofHours(2));
    assertThat(last(node).phase()).isEqualTo(Phase.NOT_NEEDED);
  }

  @Test
  void whatAPersonAsksForIsNoLessThanThat() throws IOException {
    FakeNode node = cluster.node(1);
    cluster.breaks(node, Remedy.RESET_GPU);
    Request asked = byPerson(node, Remedy.REPLACE_NODE, Urgency.NOW);
    assertThat(controller.request(asked, cluster.now)).isEmpty();
    rounds(Duration.ofMinutes(5));
    assertThat(last(node).remedy()).isEqualTo(Remedy.REPLACE_NODE);
    assertThat(controller.request(asked, cluster.now).orElseThrow())
        .endsWith(", and only its agent can ask for more now");
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

  /** Nobody may have repaired it: to give it up would leave a sick node in service. */
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

  /** What was decided before the node was in service again says nothing of its new jobs. */
  @Test
  void aNodeThatIsTakenAgainCountsItsTimeFromThen() {
    FakeNode node = sick(1, Remedy.REPLACE_NODE, Urgency.JOB_END, "xid_1");
    roundsUntil(node, Phase.REPAIRING);
    Instant first = last(node).taken().orElseThrow();
    rounds(Duration.ofMinutes(5));
    cluster.person(node, Service.IN_SERVICE, "");
    cluster.breaks(node, Remedy.REPLACE_NODE);
    roundsUntil(node, Phase.REQUESTED);
    assertThat(last(node).taken()).isEmpty();
    roundsUntil(node, Phase.DRAINED);
    assertThat(last(node).taken()).hasValueSatisfying(at -> assertThat(at).isAfter(first));
  }

  /** An end that was refused is none, after a restart too. */
  @Test
  void aJobWhoseEndWasRefusedIsEndedAfterARestart() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofDays(1), true);
    cluster.endsRefused = true;
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(5));
    assertThat(waiting(node).why()).startsWith("refused: ");

    cluster.endsRefused = false;
    controller = start(POLICY);
    rounds(Duration.ofMinutes(5));

    assertThat(last(node).endedJobs()).hasSize(1);
    assertThat(verbs()).contains("end");
  }

  /** Four old findings that were requested at once are no storm, after a restart neither. */
  @Test
  void aRestartMakesNoStormOfOldFindings() throws IOException {
    stopped = Optional.of("wait");
    for (int i = 0; i < 4; i++) {
      cluster.breaks(cluster.node(20 * i), Remedy.REBOOT_NODE);
      requestSince(cluster.node(20 * i), cluster.now.minus(Duration.ofDays(i + 1)));
    }
    rounds(ROUND);
    controller = start(POLICY);
    rounds(ROUND);

    assertThat(waiting(cluster.node(0)).why()).doesNotContain("at once");
  }

  /** Which powers down is not healthy: the others of the storm stay protected. */
  @Test
  void aStormLastsWhenItsNodesArePoweredDown() throws IOException {
    for (int i = 0; i < 4; i++) {
      sick(20 * i, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    }
    rounds(ROUND);
    assertThat(waiting(cluster.node(0)).why()).contains("at once");
    cluster.powersDown(cluster.node(60));
    rounds(ROUND.multipliedBy(3));

    assertThat(last(cluster.node(60)).phase()).isEqualTo(Phase.NOT_NEEDED);
    assertThat(waiting(cluster.node(0)).why()).contains("at once");
  }

  /** The rule that counts from then on has a beginning of its own. */
  @Test
  void aFindingThatReplacesAnotherHasItsOwnBeginning() {
    FakeNode node = sick(1, Remedy.RESET_GPU, Urgency.JOB_END, "xid_1");
    cluster.advance(Duration.ofDays(1));
    request(node, Remedy.REPLACE_NODE, Urgency.NOW, "xid_79");

    Remediation both = Objects.requireNonNull(controller.open().get(cluster.name(node)));
    assertThat(both.rule()).isEqualTo("xid_79");
    assertThat(both.began()).isEqualTo(cluster.now);
  }

  /** A job is protected by a rule, and a person asks for its node too. */
  @Test
  void aPersonsRequestHurriesNoJobThatAnAlertMayNotEnd() throws IOException {
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    assertThat(controller.request(byPerson(node, Remedy.REBOOT_NODE, Urgency.JOB_END), cluster.now))
        .isEmpty();

    Remediation both = Objects.requireNonNull(controller.open().get(cluster.name(node)));
    assertThat(both.urgency()).isEqualTo(Urgency.JOB_END);
    assertThat(both.rule()).isEmpty();

    request(node, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    assertThat(Objects.requireNonNull(controller.open().get(cluster.name(node))).urgency())
        .isEqualTo(Urgency.JOB_END);
  }

  @Test
  void anEarlierReasonIsKept() {
    FakeNode node = cluster.node(1);
    cluster.person(node, Service.IN_SERVICE, "fan replaced");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));

    assertThat(last(node).earlierReason()).isEqualTo("fan replaced");
  }

  @Test
  void aControllerThatIsKilledAtAnyEntryDoesNothingTwiceAndForgetsNothing() throws IOException {
    int kills = 0;
    for (int entry = 1; entry <= 40; entry++) {
      for (boolean written : new boolean[] {false, true}) {
        kills += killed(entry, written);
      }
    }
    assertThat(kills).isGreaterThan(15);
  }

  private static int killed(int entry, boolean written) throws IOException {
    FakeCluster cluster = new FakeCluster(100, POLICY);
    MemoryJournal journal = new MemoryJournal();
    FakeNode node = cluster.node(1);
    cluster.runs("4711", List.of(node), Duration.ofHours(2), true);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    journal.killAfter(entry, written);
    int kills = 0;
    boolean person = false;
    Controller controller = new Controller(POLICY, cluster.ports(), journal);
    for (int round = 0; round < 400; round++) {
      cluster.advance(ROUND);
      try {
        if (cluster.sick().contains(cluster.name(node))) {
          Request request =
              new Request(
                  "key",
                  cluster.name(node),
                  Remedy.RESET_GPU,
                  Urgency.NOW,
                  "xid_1",
                  "an alert",
                  "am",
                  cluster.now,
                  false);
          controller.request(request, cluster.now);
        }
        controller.round(cluster.now);
        if (controller.open().values().stream().anyMatch(o -> o.phase() == Phase.HANDED_OVER)) {
          cluster.heals(node);
        }
        person |= controller.waiting().values().stream().anyMatch(Controller.Waiting::person);
      } catch (MemoryJournal.Killed e) {
        kills++;
        controller = new Controller(POLICY, cluster.ports(), journal);
      }
    }
    assertThat(cluster.violations).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(cluster.held()).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(cluster.sick()).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(controller.open()).as("killed at %d, %s", entry, written).isEmpty();
    boolean lost = journal.entries().stream().anyMatch(e -> e.what().startsWith("end job"));
    boolean done = cluster.commands.stream().anyMatch(command -> command.startsWith("end "));
    boolean began = journal.entries().stream().anyMatch(e -> e.what().startsWith("reboot: "));
    boolean rebooted = cluster.commands.stream().anyMatch(c -> c.startsWith("reboot_node "));
    assertThat(person)
        .as("a person is called if the end of the job or the repair was lost")
        .isEqualTo((lost && !done) || (began && !rebooted));
    return kills;
  }
}
