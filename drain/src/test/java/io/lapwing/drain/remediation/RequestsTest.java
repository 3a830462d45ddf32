package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What becomes of requests: storms of findings, repetitions, a restart, and rounds begun by a
 * request.
 */
class RequestsTest extends ControllerCase {

  /** Its nodes were requested long before, and again a moment ago. */
  @Test
  void aReloadEndsNoStorm() throws IOException {
    Instant began = cluster.now;
    stopped = Optional.of("pause");
    for (int i = 1; i <= 4; i++) {
      cluster.breaks(cluster.node(i), Remedy.REBOOT_NODE);
      requestSince(cluster.node(i), began);
    }
    rounds(Duration.ofMinutes(61));
    for (int i = 1; i <= 4; i++) {
      requestSince(cluster.node(i), began);
    }
    stopped = Optional.empty();
    controller = start(POLICY).after(controller);
    controller.round(cluster.now);

    assertThat(cluster.commands).isEmpty();
    assertThat(waiting(cluster.node(1)).why()).contains("budget.systemic-nodes");
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

  /** Which node is next when a limit opens does not depend on who asks last. */
  @Test
  void aNodeThatIsMoreUrgentThanTheRequestedOneIsTakenFirst() throws IOException {
    sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    rounds(ROUND);
    FakeNode urgent = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    controller.round(() -> cluster.now);
    assertThat(waiting(urgent).why()).contains("budget.gap");
    cluster.advance(POLICY.budget().gap());

    FakeNode mild = sick(61, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_3");
    controller.roundOfRequested(() -> cluster.now);

    assertThat(cluster.service(urgent)).isEqualTo(Service.DRAINED);
    assertThat(cluster.service(mild)).isEqualTo(Service.IN_SERVICE);
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
}
