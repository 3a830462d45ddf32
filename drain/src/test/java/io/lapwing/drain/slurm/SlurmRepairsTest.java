package io.lapwing.drain.slurm;

import static io.lapwing.drain.slurm.FakeSlurm.node;
import static io.lapwing.drain.slurm.FakeSlurm.reason;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmRepairsTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-25T19:00:00.9Z"), ZoneOffset.UTC);
  private static final NodeName P5 = new NodeName("p5-1");
  private static final String OURS = "lapwing-drain 1-1";
  private static final String DRAINED = node("p5-1", "IDLE+DRAIN", reason(OURS));

  @TempDir private Path dir;
  private FakeSlurm slurm;

  @BeforeEach
  void aSlurm() throws IOException {
    slurm = new FakeSlurm(dir);
  }

  private SlurmScheduler scheduler(SlurmPlatform platform) {
    return new SlurmScheduler(slurm.commands(), NvlinkDomains.NONE, platform, CLOCK);
  }

  private CommandResult begin(SlurmPlatform platform, Remedy remedy, boolean powerDown) {
    NodeState state = ((View) scheduler(platform).view()).cluster().nodes().get(P5);
    assertThat(state).isNotNull();
    return SlurmRepairs.of(platform, slurm.commands(), CLOCK, powerDown, Map.of())
        .begin(new Repair(remedy, state, OURS, "xid_79"));
  }

  private CommandResult begin(SlurmPlatform platform, Remedy remedy) {
    return begin(platform, remedy, false);
  }

  @Test
  void slurmRebootsADrainedNodeWithOurReason() throws IOException {
    slurm.nodes(DRAINED);
    slurm.after(node("p5-1", "IDLE+DRAIN+REBOOT_REQUESTED", reason(OURS)));

    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(slurm.changes()).containsExactly("reboot reason=lapwing-drain 1-1 p5-1");
  }

  @Test
  void aRebootThatSlurmDoesNotShowIsUnclearOrRefused() throws IOException {
    slurm.nodes(DRAINED);
    slurm.change("exit 0");
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isInstanceOf(Unclear.class);
    slurm.change("echo 'slurm_reboot error: Requested operation not supported' >&2; exit 1");
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isInstanceOf(Refused.class);
  }

  @Test
  void aNodeThatIsNotOursIsNotRepaired() throws IOException {
    slurm.nodes(node("p5-1", "IDLE+DRAIN+CLOUD", reason("ada: cable")));
    for (SlurmPlatform platform : SlurmPlatform.values()) {
      assertThat(begin(platform, Remedy.REBOOT_NODE)).isInstanceOf(Refused.class);
      assertThat(begin(platform, Remedy.REPLACE_NODE, true)).isInstanceOf(Refused.class);
      assertThat(begin(platform, Remedy.RESET_GPU)).isInstanceOf(NotPossible.class);
    }
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void parallelClusterReplacesByItselfAndMayWriteOverOurReason() throws IOException {
    slurm.nodes(node("p5-1", "IDLE", "Comment=rack 7"));
    slurm.after(
        node(
            "p5-1",
            "IDLE+DRAIN",
            reason(OURS) + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z | rack 7 Extra=e"));
    SlurmScheduler scheduler = scheduler(SlurmPlatform.PARALLEL_CLUSTER);

    assertThat(scheduler.drain(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(begin(SlurmPlatform.PARALLEL_CLUSTER, Remedy.REPLACE_NODE))
        .isEqualTo(CommandResult.ACCEPTED);
    slurm.nodes(
        node(
            "p5-1",
            "DOWN+NOT_RESPONDING",
            reason("Static node maintenance: unhealthy node is being replaced")
                + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z | rack 7"));

    NodeState state = ((View) scheduler.view()).cluster().nodes().get(P5);
    assertThat(state).isNotNull();
    assertThat(state.heldFor(OURS)).isTrue();
    assertThat(state.heldFor("lapwing-drain 1")).isFalse();
    assertThat(scheduler.resume(P5, OURS)).isInstanceOf(NotYet.class);
    assertThat(slurm.changes())
        .containsExactly(
            "update NodeName=p5-1 State=DRAIN Reason=lapwing-drain 1-1"
                + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z | rack 7");
  }

  @Test
  void aPersonsReasonLikeOneOfSlurmctldIsThePersons() throws IOException {
    for (String reason :
        List.of(
            "Low NVLink bandwidth, ask Kim [kim@2026-11-25T20:00:00]",
            "Low NVLink bandwidth, ask Kim [root@2026-11-25T20:00:00]",
            "Low RealMemory (reported:1 < 100% of configured:2) [kim@2026-11-25T20:00:00]")) {
      slurm.nodes(
          node(
              "p5-1",
              "IDLE+DRAIN",
              "Reason=" + reason + " Comment=" + OURS + " @2026-11-25T19:00:00Z"));
      SlurmScheduler scheduler = scheduler(SlurmPlatform.SLURM);
      NodeState state = ((View) scheduler.view()).cluster().node(P5).orElseThrow();
      assertThat(state.heldFor(OURS)).as(reason).isFalse();
      assertThat(scheduler.resume(P5, OURS)).as(reason).isInstanceOf(Refused.class);
    }
  }

  @Test
  void aNodeThatRegistersWithoutItsLostGpuStaysOursOnEveryPlatform() throws IOException {
    String lost =
        node(
            "p5-1",
            "IDLE+DRAIN+INVALID_REG",
            reason("gres/gpu count reported lower than configured (7 < 8)")
                + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z | rack 7");
    for (SlurmPlatform platform : SlurmPlatform.values()) {
      slurm.nodes(lost);
      NodeState state = ((View) scheduler(platform).view()).cluster().node(P5).orElseThrow();
      assertThat(state.heldFor(OURS)).as("%s", platform).isTrue();
      assertThat(state.mark()).as("%s: it may be of long ago", platform).isEmpty();
    }
    slurm.after(node("p5-1", "IDLE", "Comment=rack 7"));
    assertThat(scheduler(SlurmPlatform.SLURM).resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(slurm.changes())
        .singleElement()
        .asString()
        .startsWith("update NodeName=p5-1 State=")
        .endsWith(" Comment=rack 7");
  }

  /** Where slurmctld runs as neither slurm nor root; and a person may write such words. */
  @Test
  void aReasonOfTheAccountOfSlurmctldIsSlurmctldsOwn() throws IOException {
    for (String author : new String[] {"slurmadm", "6817", "ada"}) {
      slurm.nodes(
          node(
              "p5-1",
              "IDLE+DRAIN+INVALID_REG",
              "Reason=gres/gpu count reported lower than configured (7 < 8) ["
                  + author
                  + "@2026-11-25T18:57:00] Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z"));
      SlurmScheduler scheduler = scheduler(SlurmPlatform.SLURM);
      slurm.noConfig("Unable to contact slurm controller (connect failure)");
      assertThat(scheduler.view()).as("it is not given up").isInstanceOf(CannotSee.class);

      slurm.config("SlurmUser               = slurmadm(6817)\nSlurmctldAddr           = (null)\n");
      NodeState state = ((View) scheduler.view()).cluster().node(P5).orElseThrow();
      assertThat(state.heldFor(OURS)).as(author).isEqualTo(!author.equals("ada"));
    }
  }

  @Test
  void hyperPodGetsItsExactReasonAndTheNodeStaysOurs() throws IOException {
    slurm.nodes(
        node(
            "p5-1",
            "IDLE+DRAIN",
            reason(OURS) + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z"));
    slurm.after(
        node(
            "p5-1",
            "IDLE+FAIL",
            reason("Action:Reboot") + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z"));

    assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);
    slurm.after(
        node(
            "p5-1",
            "IDLE+FAIL",
            reason("Action:Replace") + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z"));
    assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REPLACE_NODE))
        .isEqualTo(CommandResult.ACCEPTED);
    assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REBOOT_NODE))
        .isEqualTo(new NotYet("HyperPod replaces it at present"));

    assertThat(slurm.changes())
        .containsExactly(
            "update NodeName=p5-1 State=FAIL Reason=Action:Reboot Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z",
            "update NodeName=p5-1 State=FAIL Reason=Action:Replace Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z");
  }

  @Test
  void handsOffUntilTheNodeOfHyperPodIsBack() throws IOException {
    String replacing =
        reason("Action:Replace") + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z | rack 7";
    SlurmScheduler scheduler = scheduler(SlurmPlatform.HYPERPOD);
    slurm.nodes(node("p5-1", "DOWN+FAIL+NOT_RESPONDING", replacing));
    assertThat(scheduler.resume(P5, OURS))
        .isEqualTo(new NotYet("the platform is at work on it: Action:Replace"));
    assertThat(slurm.changes()).isEmpty();

    slurm.nodes(node("p5-1", "IDLE+FAIL", replacing)); // answers, and was not booted since
    assertThat(scheduler.resume(P5, OURS)).isInstanceOf(NotYet.class);
    assertThat(slurm.changes()).isEmpty();

    slurm.nodes(
        node("p5-1", "IDLE+FAIL", replacing).replace("T18:47:33", "T19:07:33")); // a new instance
    slurm.after(node("p5-1", "IDLE", "Comment=rack 7"));
    assertThat(scheduler.resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(slurm.changes()).containsExactly("update NodeName=p5-1 State=RESUME Comment=rack 7");
  }

  @Test
  void aReplacementThatHyperPodOrAPersonOrderedIsNotOurs() throws IOException {
    for (String comment :
        new String[] {"", " Comment=lapwing-drain 1-9 @2026-11-25T19:00:00Z", " Comment=rack 7"}) {
      slurm.nodes(node("p5-1", "IDLE+FAIL", reason("Action:Replace") + comment));
      assertThat(scheduler(SlurmPlatform.HYPERPOD).resume(P5, OURS)).isInstanceOf(Refused.class);
      assertThat(scheduler(SlurmPlatform.HYPERPOD).drain(P5, OURS)).isInstanceOf(Refused.class);
      assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REPLACE_NODE)).isInstanceOf(Refused.class);
    }
    slurm.nodes(
        node(
            "p5-1",
            "IDLE+DRAIN",
            reason("ada: cable") + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z"));
    assertThat(scheduler(SlurmPlatform.HYPERPOD).resume(P5, OURS)).isInstanceOf(Refused.class);
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void onlyANodeOfTheCloudIsPoweredDownAndOnlyWhereASiteAsksForIt() throws IOException {
    slurm.nodes(DRAINED);
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REPLACE_NODE))
        .isEqualTo(new NotPossible("no driver is configured for replace_node"));
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REPLACE_NODE, true))
        .isInstanceOf(NotPossible.class);
    slurm.nodes(node("p5-1", "IDLE+CLOUD+DRAIN", reason(OURS)));
    slurm.after(node("p5-1", "IDLE+CLOUD+DRAIN+POWER_DOWN", reason(OURS)));
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REPLACE_NODE, true))
        .isEqualTo(CommandResult.ACCEPTED);
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REPLACE_NODE, true))
        .isEqualTo(CommandResult.ACCEPTED);
    assertThat(slurm.changes())
        .containsExactly("update NodeName=p5-1 State=POWER_DOWN_ASAP Reason=lapwing-drain 1-1");
  }

  @Test
  void aDriverOfTheSiteComesBeforeThePlatformsOwn() throws IOException {
    slurm.nodes(DRAINED);
    NodeState state = ((View) scheduler(SlurmPlatform.SLURM).view()).cluster().nodes().get(P5);
    assertThat(state).isNotNull();
    assertThat(
            SlurmRepairs.of(
                    SlurmPlatform.SLURM,
                    slurm.commands(),
                    CLOCK,
                    false,
                    Map.of(Remedy.REBOOT_NODE, repair -> new Refused("mine")))
                .begin(new Repair(Remedy.REBOOT_NODE, state, OURS, "")))
        .isEqualTo(new Refused("mine"));
    assertThat(slurm.changes()).isEmpty();
  }
}
