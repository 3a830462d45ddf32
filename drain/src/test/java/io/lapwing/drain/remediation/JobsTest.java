package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the jobs of a node are ended. */
class JobsTest extends ControllerCase {

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

  /** A refused end does not count, also after a restart. */
  @Test
  void aJobWhoseEndWasRefusedIsEndedAfterARestart() {
    cluster.runs("4711", List.of(cluster.node(1)), Duration.ofDays(1), true);
    cluster.endsRefused = true;
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(5));
    assertThat(waiting(node).why()).contains("; refused: a disruption budget; tried again at ");
    assertThat(waiting(node).person()).isTrue();

    cluster.endsRefused = false;
    controller = start(POLICY);
    rounds(Duration.ofMinutes(5));

    assertThat(last(node).endedJobs()).hasSize(1);
    assertThat(verbs()).contains("end");
  }

  @Test
  void aJobThatCannotBeEndedKeepsNoOtherOfItsNodeFromIt() {
    FakeNode node = cluster.node(1);
    cluster.runs("4711", List.of(node), Duration.ofDays(1), true);
    cluster.runsBeside("4712", node, Duration.ofDays(1));
    cluster.endRefused.add("4711");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(12));

    assertThat(cluster.commands).filteredOn(one -> one.startsWith("end 4712")).hasSize(1);
    assertThat(waiting(node).why()).contains("job 4711: it is urgent; refused: ");
  }

  @Test
  void noJobIsEndedOnANodeThatAPersonHasReturnedMeanwhile() throws IOException {
    FakeNode node = cluster.node(1);
    cluster.runs("4711", List.of(node), Duration.ofHours(9), true);
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    roundsUntil(node, Phase.WAITING_FOR_JOBS);
    cluster.advance(Duration.ofMinutes(6));
    AtomicInteger reads = new AtomicInteger();
    controller.round(
        () -> {
          if (reads.incrementAndGet() == 2) {
            cluster.person(node, Service.IN_SERVICE, "");
          }
          return reads.get() < 2 ? cluster.now : cluster.now.plusSeconds(1);
        });

    assertThat(reads.get()).as("it was about to be ended").isGreaterThan(1);
    assertThat(verbs()).doesNotContain("end");
    assertThat(waiting(node).why()).isEqualTo("another user has changed the node");
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
}
