package io.lapwing.drain.slurm;

import static io.lapwing.drain.slurm.FakeSlurm.node;
import static io.lapwing.drain.slurm.FakeSlurm.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.JobQueue.Unreadable;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmSchedulerTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-25T19:00:00Z"), ZoneOffset.UTC);
  private static final NodeName P5 = new NodeName("p5-1");
  private static final String OURS = "lapwing-drain 1-1";
  private static final String IDLE = node("p5-1", "IDLE", "");
  private static final String DRAINED = node("p5-1", "IDLE+DRAIN", reason(OURS));

  @TempDir private Path dir;
  private FakeSlurm slurm;

  @BeforeEach
  void aSlurm() throws IOException {
    slurm = new FakeSlurm(dir);
  }

  private SlurmScheduler scheduler() {
    return scheduler(SlurmPlatform.SLURM);
  }

  private SlurmScheduler scheduler(SlurmPlatform platform) {
    return new SlurmScheduler(slurm.commands(), NvlinkDomains.NONE, platform, CLOCK);
  }

  private ClusterView view() {
    assertThat(scheduler().view()).isInstanceOf(View.class);
    return ((View) scheduler().view()).cluster();
  }

  private String blind() {
    assertThat(scheduler().view()).isInstanceOf(CannotSee.class);
    return ((CannotSee) scheduler().view()).why();
  }

  private static Set<NodeName> names(String... names) {
    return Set.copyOf(List.of(names).stream().map(NodeName::new).toList());
  }

  @Test
  void nodesAndAllNodesOfTheirJobsAreSeen() throws IOException {
    slurm.nodes(
        node("vm", "MIXED", ""),
        node("absent01", "MIXED", ""),
        node("cloud-dy-p5-1", "IDLE+CLOUD+POWERED_DOWN", ""));
    slurm.jobs(Fixtures.text("running-22.05.txt"));

    ClusterView view = view();

    assertThat(view.at()).isEqualTo(CLOCK.instant());
    assertThat(view.nodes()).containsOnlyKeys(names("vm", "absent01"));
    assertThat(view.absent()).isEqualTo(names("cloud-dy-p5-1"));
    assertThat(new ClusterIndex(view).jobsOn(new NodeName("vm")))
        .contains(
            new Job("15", "root", names("vm", "absent01"), 3, Set.of("15", "16")), // two components
            new Job("9", "root", names("vm"), 4), // recorded twice: running, and suspended
            new Job("11", "root", names("vm"), 2));
  }

  @Test
  void featuresAndMaintenanceReservationsAreSeen() throws IOException {
    slurm.nodes(Fixtures.text("nodes-26.05.txt"), node("vm", "IDLE+MAINTENANCE+DRAIN", "x"));

    ClusterView view = view();

    assertThat(view.node(new NodeName("p5-2")).orElseThrow().more().features())
        .containsExactlyInAnyOrder("p5", "efa");
    assertThat(view.node(new NodeName("vm")).orElseThrow().more())
        .isEqualTo(new More(Set.of(), "", "", "", "a maintenance reservation of Slurm"));
  }

  /** Its machine is the same when it is switched on again. */
  @Test
  void aNodeOfTheSiteThatIsSwitchedOffIsNoNewMachine() throws IOException {
    slurm.nodes(
        node("p5-1", "IDLE+DRAIN+POWERED_DOWN", reason("lapwing-drain 1-1")),
        node("p5-2", "IDLE+POWERED_DOWN", ""));

    ClusterView view = view();

    assertThat(view.nodes().get(new NodeName("p5-1")))
        .extracting(one -> one.more().absent())
        .isEqualTo(false);
    assertThat(view.absent()).isEmpty();
  }

  /** As Slurm 22.05 powers down what is drained and idle. */
  @Test
  void aNodeThatIsPoweredDownIsReturnedToBeStartedForAJob() throws IOException {
    String ours = "lapwing-drain 1-1";
    slurm.nodes(node("p5-1", "IDLE+CLOUD+DRAIN+POWERED_DOWN", reason(ours)));
    NodeState down = view().node(new NodeName("p5-1")).orElseThrow();
    assertThat(down.more().absent()).isTrue();
    assertThat(down.heldFor(ours)).isTrue();

    slurm.after(node("p5-1", "IDLE+CLOUD+POWERED_DOWN+NOT_RESPONDING", ""));
    assertThat(scheduler().resume(new NodeName("p5-1"), ours)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(slurm.changes()).containsExactly("update NodeName=p5-1 State=UNDRAIN");
    assertThat(view().absent()).isEqualTo(names("p5-1"));
  }

  @Test
  void whoElseMayActOnANodeIsNamed() throws IOException {
    slurm.nodes(node("p5-1", "IDLE", ""), node("p5-2", "IDLE+CLOUD", ""));

    assertThat(view().node(new NodeName("p5-1")).orElseThrow().others()).isEmpty();
    assertThat(view().node(new NodeName("p5-2")).orElseThrow().others())
        .containsExactly(
            "Slurm powers the node down when it is idle for SuspendTime, where that is set");
  }

  @Test
  void hostListsAndCountedGpusOfNewerVersions() throws IOException {
    slurm.nodes(node("p5-33", "MIXED", ""));
    slurm.jobs(Fixtures.text("running-26.05.txt"));

    assertThat(view().jobs())
        .extracting(Job::id, job -> job.nodes().size(), Job::gpus, Job::processIds)
        .containsExactly(
            tuple("4711", 64, 512, Set.of("4711")),
            tuple("4712_7", 1, 1, Set.of("4719")),
            tuple("4713", 2, 16, Set.of("4713")));
  }

  @Test
  void aSlurmThatDoesNotAnswerInFullIsNotSeen() throws IOException {
    slurm.nodes(IDLE);
    slurm.jobs("4711|N/A|root|1|cpu=1|N/A|N/A|p5-");
    assertThat(blind()).startsWith("not a job as squeue prints it: 4711|");
    slurm.jobs("4711|N/A|root|1|cpu=1|N/A|N/A|p5-[1|4711|\n");
    assertThat(blind()).startsWith("a host list ends within brackets: ");
    slurm.squeue("echo 'slurm_load_jobs error: Invalid user id' >&2; exit 1");
    assertThat(blind()).isEqualTo("squeue exited with 1: slurm_load_jobs error: Invalid user id");
    slurm.nodes("");
    assertThat(blind()).isEqualTo("scontrol lists no node");
    slurm.nodes(IDLE, IDLE);
    assertThat(blind()).startsWith("scontrol lists a node twice: p5-1");
    slurm.nodes(IDLE, "Segmentation fault");
    assertThat(blind()).isEqualTo("not a node as scontrol prints it: Segmentation fault");
    slurm.scontrol("head -c 100000 /dev/urandom");
    assertThat(blind()).startsWith("not a node as scontrol prints it: ");
    slurm.scontrol("exec yes NodeName=x");
    assertThat(blind()).isEqualTo("scontrol wrote more than 16777216 bytes");
    slurm.scontrol("exit 0");
    assertThat(blind()).isEqualTo("scontrol lists no node");
  }

  @Test
  void aLineBreakInATextOfAPersonIsAPartOfIt() throws IOException {
    slurm.nodes(
        node("p5-1", "IDLE+DRAIN", "Reason=see\nNodeName=p5-2 [root@2026-11-25T18:57:00]"),
        node("p5-2", "IDLE", "Comment=rack 7\r\n\nState=DOWN Extra=\n"),
        node("p5-3", "IDLE", ""));

    ClusterView view = view();

    assertThat(view.nodes()).containsOnlyKeys(names("p5-1", "p5-2", "p5-3"));
    assertThat(view.node(P5).orElseThrow().reason()).isEqualTo("see\nNodeName=p5-2");
    assertThat(view.node(P5).orElseThrow().reasonBy()).isEqualTo("root");
    assertThat(view.node(new NodeName("p5-2")).orElseThrow().service())
        .isEqualTo(Service.IN_SERVICE);
    slurm.nodes(node("p5-1", "IDLE+DRAIN", "Reason=a\n" + IDLE));
    assertThat(blind()).startsWith("scontrol lists a node twice: p5-1");
  }

  @Test
  void aSlurmThatHangsIsNotSeen() throws IOException {
    slurm.scontrol("sleep 100");
    assertThat(
            new SlurmScheduler(
                    slurm.commands(Duration.ofSeconds(1)),
                    NvlinkDomains.NONE,
                    SlurmPlatform.SLURM,
                    CLOCK)
                .view())
        .isEqualTo(new CannotSee("scontrol did not answer within 1s"));
  }

  @Test
  void anAllocatedNodeWithoutJobsMeansThatJobsAreHidden() throws IOException {
    slurm.nodes(node("p5-1", "MIXED", ""), node("p5-2", "IDLE+COMPLETING", ""));

    assertThat(blind())
        .isEqualTo("Slurm does not show the jobs on p5-1 and 1 other nodes that are allocated");
  }

  @Test
  void aJobThatEndsBetweenTwoQuestionsIsNotHidden() throws IOException {
    slurm.nodes(node("p5-1", "MIXED", ""));
    slurm.squeue("cd \"${0%/*}\"; cp ended nodes");
    Files.writeString(dir.resolve("ended"), IDLE + "\n");

    assertThat(view().jobs()).isEmpty();
  }

  @Test
  void aNodeInServiceIsDrainedByOneCommand() throws IOException {
    slurm.nodes(IDLE);
    slurm.after(DRAINED);

    assertThat(scheduler().drain(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler().drain(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(slurm.changes())
        .containsExactly(
            "update NodeName=p5-1 State=DRAIN Reason=lapwing-drain 1-1"
                + " Comment=lapwing-drain 1-1 @2026-11-25T19:00:00Z");
  }

  @Test
  void aNodeOfSomebodyElseIsNeverWrittenTo() throws IOException {
    for (String line :
        List.of(
            node("p5-1", "IDLE+DRAIN", reason("\"new PSU\", ask Kim")),
            node("p5-1", "IDLE+DRAIN", reason("lapwing-drain 1-10")),
            node("p5-1", "IDLE+DRAIN", reason("xlapwing-drain 1-1")),
            node("p5-1", "IDLE+DRAIN", ""),
            node("p5-1", "DOWN", reason("Node unexpectedly rebooted")),
            node("p5-1", "MIXED+FAIL", reason("x")),
            node("p5-1", "IDLE+MAINTENANCE", ""),
            node("p5-1", "IDLE+REBOOT_REQUESTED", reason("reboot requested")),
            node("p5-1", "IDLE+CLOUD+POWERED_DOWN", ""),
            node("p5-1", "IDLE+INVALID_REG", ""),
            node("p5-1", "UNKNOWN", ""))) {
      slurm.nodes(line);
      assertThat(scheduler().drain(P5, OURS)).as(line).isInstanceOf(Refused.class);
      assertThat(scheduler().resume(P5, OURS)).as(line).isInstanceOf(Refused.class);
    }
    assertThat(slurm.changes()).isEmpty();
  }

  /** slurmctld requeues the job of a node that is drained before it has started. */
  @Test
  void aNodeThatSlurmStartsForAJobIsNotDrainedYet() throws IOException {
    slurm.nodes(node("p5-1", "ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP", ""));

    assertThat(scheduler().drain(P5, OURS)).isInstanceOf(NotYet.class);
    assertThat(slurm.changes()).isEmpty();
    View view = (View) scheduler().view();
    assertThat(view.cluster().node(P5).orElseThrow().more().heldBy())
        .isEqualTo("Slurm's power-up for a job");
  }

  /** slurmctld removes it with a reboot that the power-down cancels. */
  @Test
  void aNodeThatIsPoweredDownIsOursWithoutAReason() throws IOException {
    String comment = "Comment=" + OURS + " @2026-11-25T19:00:00Z";
    slurm.nodes(node("p5-1", "IDLE+CLOUD+DRAIN+POWERING_DOWN", comment));

    View view = (View) scheduler().view();
    assertThat(view.cluster().node(P5).orElseThrow().heldFor(OURS)).isTrue();
  }

  @Test
  void onlyANodeThatSlurmListsIsWrittenTo() throws IOException {
    slurm.nodes(node("ALL", "IDLE", ""), node("p5-2", "IDLE", ""));

    assertThat(scheduler().drain(new NodeName("ALL"), OURS))
        .isEqualTo(new NotYet("not drained: scontrol takes ALL for all nodes"));
    assertThat(scheduler().drain(P5, OURS))
        .isEqualTo(new NotYet("not drained: scontrol exited with 1: Node p5-1 not found"));
    slurm.scontrol("cat \"${0%/*}\"/nodes");
    assertThat(scheduler().drain(P5, OURS))
        .isEqualTo(new NotYet("not drained: scontrol shows other nodes than p5-1"));
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void aReasonThatSlurmWouldNotKeepIsRefused() throws IOException {
    slurm.nodes(IDLE);
    for (String hostile : List.of("a\nb", "\"a\"", "", "x State=IDLE", "x".repeat(200), "-v")) {
      assertThat(scheduler().drain(P5, hostile)).as(hostile).isInstanceOf(Refused.class);
    }
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void whatIsTrueCountsAndNotWhatScontrolSays() throws IOException {
    slurm.nodes(IDLE);
    slurm.change("exit 0");
    assertThat(scheduler().drain(P5, OURS))
        .isEqualTo(new Unclear("scontrol reported success; the node is IDLE"));
    slurm.change("echo 'slurm_update error: Access/permission denied' >&2; exit 1");
    assertThat(scheduler().drain(P5, OURS))
        .isEqualTo(
            new Refused(
                "scontrol exited with 1: slurm_update error: Access/permission denied; the node is"
                    + " IDLE"));
    slurm.change("echo 'Unable to contact slurm controller (connect failure)' >&2; exit 1");
    assertThat(scheduler().drain(P5, OURS)).isInstanceOf(Unclear.class);
    slurm.change("kill -KILL $$");
    assertThat(scheduler().drain(P5, OURS)).isInstanceOf(Unclear.class);
    slurm.change("rm nodes");
    assertThat(scheduler().drain(P5, OURS))
        .isInstanceOfSatisfying(
            Unclear.class,
            unclear -> assertThat(unclear.why()).startsWith("the node cannot be read after"));
    slurm.nodes(IDLE);
    slurm.after(DRAINED);
    slurm.change("cp after nodes; echo 'Socket timed out' >&2; exit 1");
    assertThat(scheduler().drain(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
  }

  @Test
  void somebodyElseWhoIsFasterKeepsTheNode() throws IOException {
    slurm.nodes(IDLE);
    slurm.after(node("p5-1", "IDLE+DRAIN", reason("ada: cable")));

    assertThat(scheduler().drain(P5, OURS))
        .isEqualTo(new Unclear("scontrol reported success; the node is DRAIN+IDLE (ada: cable)"));
  }

  @Test
  void aNodeIsReturnedByTheVerbThatFitsItsState() throws IOException {
    slurm.after(IDLE);
    slurm.nodes(DRAINED);
    assertThat(scheduler().resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler().resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    slurm.nodes(node("p5-1", "DOWN", reason(OURS + " : reboot issued : reboot complete")));
    assertThat(scheduler().resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);
    slurm.nodes(node("p5-1", "IDLE+DRAIN+REBOOT_REQUESTED", reason(OURS)));
    assertThat(scheduler().resume(P5, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(slurm.changes())
        .containsExactly(
            "update NodeName=p5-1 State=UNDRAIN",
            "update NodeName=p5-1 State=RESUME",
            "update NodeName=p5-1 State=RESUME");
  }

  @Test
  void aNodeThatReallyRebootsIsNotReturned() throws IOException {
    slurm.nodes(node("p5-1", "DOWN+DRAIN+REBOOT_ISSUED", reason(OURS + " : reboot issued")));

    assertThat(scheduler().resume(P5, OURS)).isEqualTo(new NotYet("its reboot has not ended"));
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void waitingJobsAreListedOnRequest() throws Exception {
    slurm.jobs(Fixtures.text("queued-22.05.txt"));

    List<QueuedJob> jobs = ((Queue) scheduler().queue()).jobs();
    assertThat(jobs)
        .extracting(
            QueuedJob::id, QueuedJob::reason, QueuedJob::nodes, QueuedJob::gpus, QueuedJob::tasks)
        .containsExactly(
            tuple("12_[1-40:3%2]", "Resources", 1, 8, 14L),
            tuple("14", "BeginTime", 1, 0, 1L),
            tuple("13", "JobHeldUser", 2, 0, 1L));
    QueuedJob held = jobs.get(2);
    assertThat(held.submitted()).contains(Instant.parse("2026-11-25T19:12:08Z"));
    assertThat(held.eligible()).isEmpty();
    assertThat(held.partitions()).containsExactly("p");
    assertThat(held.user()).isEqualTo("root");
    assertThat(held.account()).isEmpty();
    slurm.jobs("1|a\n");
    assertThat(scheduler().queue()).isEqualTo(new Unreadable("not a job as squeue prints it: 1|a"));
    slurm.jobs("1_[1-5...]|N/A|root|1||N/A|N/A|p|(null)|(null)|N/A|N/A|Priority|\n");
    assertThat(scheduler().queue())
        .isEqualTo(new Unreadable("not a list of array tasks: 1_[1-5...]"));
  }

  @Test
  void namesOfJobsAreNotAskedFor() throws IOException {
    slurm.squeue("printf '%s\\n' \"$*\" >\"${0%/*}\"/asked");
    slurm.nodes(IDLE);
    scheduler().view();

    assertThat(dir.resolve("asked"))
        .content()
        .doesNotContainIgnoringCase(",name:")
        .doesNotContainIgnoringCase("comment");
  }
}
