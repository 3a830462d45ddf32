package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The way back into service. */
class ReturnTest extends ControllerCase {

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

  /** All agents are asked at the beginning of a round. */
  @Test
  void aNodeIsNotReturnedByAVerdictThatTheRoundHasOutlived() throws IOException {
    FakeNode slow = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    roundsUntil(slow, Phase.DRAINED);
    cluster.optsOut(slow, true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    while (!isDueForReturn(node)) {
      rounds(ROUND);
    }
    cluster.optsOut(slow, false);
    cluster.duringEvidence =
        () -> {
          cluster.advance(Duration.ofMinutes(10));
          cluster.breaks(node, Remedy.REBOOT_NODE);
        };
    cluster.advance(ROUND);
    controller.round(() -> cluster.now);

    assertThat(cluster.violations).isEmpty();
    assertThat(last(node).phase()).isEqualTo(Phase.REPAIRING);
    assertThat(waiting(node).why()).startsWith("it fails again: ");
    cluster.duringEvidence = () -> {};
    cluster.heals(node);
    rounds(POLICY.healthyFor().plus(ROUND.multipliedBy(2)));
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNED);
  }

  @Test
  void aHealthyNodeIsReturnedThoughTheRoundTakesMinutes() throws IOException {
    FakeNode slow = sick(31, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    roundsUntil(slow, Phase.DRAINED);
    cluster.optsOut(slow, true);
    FakeNode node = sick(1, Remedy.REBOOT_NODE, Urgency.JOB_END, "xid_1");
    while (!isDueForReturn(node)) {
      rounds(ROUND);
    }
    cluster.optsOut(slow, false);
    cluster.duringEvidence = () -> cluster.advance(Duration.ofMinutes(10));
    cluster.advance(ROUND);
    controller.round(() -> cluster.now);
    assertThat(last(node).phase()).isEqualTo(Phase.RETURNING);
  }

  /** In the next round. */
  private boolean isDueForReturn(FakeNode node) {
    return Objects.requireNonNull(controller.open().get(cluster.name(node)))
        .seen()
        .healthySince()
        .filter(start -> !cluster.now.plus(ROUND).isBefore(start.plus(POLICY.healthyFor())))
        .isPresent();
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
}
