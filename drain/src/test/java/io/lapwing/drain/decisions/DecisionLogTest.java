package io.lapwing.drain.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

  private final FakeCluster cluster = new FakeCluster(100, Policy.DEFAULT);
  private final MemoryJournal journal = new MemoryJournal();
  private final Controller controller =
      new Controller(Policy.DEFAULT.all(Mode.ACT), cluster.ports(), journal);

  private FakeNode sick(int index, String rule) throws IOException {
    FakeNode node = cluster.node(index);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    controller.request(
        new Request(
            "key",
            cluster.name(node),
            Remedy.REBOOT_NODE,
            Urgency.JOB_END,
            rule,
            "an alert",
            "alertmanager",
            cluster.now,
            false),
        cluster.now);
    return node;
  }

  private void rounds(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      cluster.advance(Duration.ofMinutes(1));
      controller.round(cluster.now);
    }
  }

  @Test
  void anEndedRemediationIsExplainedWithItsCostAndItsOutcome() throws IOException {
    FakeNode node = sick(1, "xid_1");
    rounds(30);

    Explanation explanation =
        DecisionLog.explain(cluster.name(node), journal.entries(), controller.state(cluster.now));

    assertThat(explanation.now()).isEmpty();
    Course course = explanation.courses().get(0);
    assertThat(course.last().attempts())
        .extracting(Attempt::outcome)
        .containsExactly(Optional.of(Outcome.HELPED));
    assertThat(course.outOfService(cluster.now)).contains(Duration.ofMinutes(12));
    assertThat(course.decisions())
        .extracting(Decision::what)
        .containsExactly(
            "requested by alertmanager",
            "drain: needs reboot_node",
            "out of service",
            "no job is left",
            "evidence not saved: there is no disk",
            "reboot: needs reboot_node",
            "healthy for 5m",
            "back in service");
    assertThat(course.decisions().get(1).cost().orElseThrow().sentence())
        .isEqualTo("no job is running; 19 idle nodes beside it");
  }

  @Test
  void theStatusHasWhatNeedsAPersonFirst() throws IOException {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofDays(9), false);
    FakeNode waiting = sick(1, "xid_1");
    rounds(60 * 24 + 5);
    FakeNode other = sick(2, "xid_2");
    cluster.person(other, Service.DRAINED, "ada: cable");
    rounds(2);

    Status status = DecisionLog.status(controller.state(cluster.now));

    assertThat(status.open())
        .extracting(one -> one.remediation().node())
        .containsExactly(cluster.name(waiting), cluster.name(other));
    assertThat(status.phases()).isEqualTo(Map.of(Phase.WAITING_FOR_JOBS, 1, Phase.REQUESTED, 1));
    assertThat(status.calls())
        .containsExactly("n0001: overdue: job 4711: it can wait for the end of the job; waiting");
    assertThat(status.open().get(1).waitsFor())
        .contains("another user has taken the node out of service: ada: cable");
  }

  @Test
  void aStormCallsAPerson() throws IOException {
    for (int i = 0; i < 4; i++) {
      sick(i * 20, "driver");
    }
    rounds(1);

    assertThat(DecisionLog.status(controller.state(cluster.now)).calls())
        .containsExactly(
            "driver is on 4 nodes at once: a person has to look (budget.systemic-nodes); until"
                + " 2026-11-24T00:30:00Z, unless it goes on");
  }

  @Test
  void theHistoryIsLatestFirstAndBounded() throws IOException {
    sick(1, "xid_1");
    rounds(30);

    List<Decision> all = DecisionLog.history(journal.entries(), Instant.MIN, 100);
    assertThat(all).hasSize(8);
    assertThat(all.get(0).phase()).isEqualTo(Phase.RETURNED);
    assertThat(DecisionLog.history(journal.entries(), Instant.MIN, 2)).isEqualTo(all.subList(0, 2));
    assertThat(DecisionLog.history(journal.entries(), all.get(1).at(), 100)).hasSize(2);
  }
}
