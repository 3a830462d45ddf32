package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.Seen;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each verb and state that the driver uses or has to recognise, under a real Slurm of one node. */
@Tag("slow")
class RealSlurmTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String OURS = "lapwing-drain 1798854460-8";

  @TempDir private static Path dir;
  private static @Nullable OneNodeSlurm started;

  private final OneNodeSlurm slurm = slurm();
  private final NodeName node = new NodeName(slurm.node);
  private final SlurmScheduler scheduler = scheduler(SlurmPlatform.SLURM);

  @BeforeAll
  static void aSlurm() throws IOException {
    assumeTrue(OneNodeSlurm.missing().isEmpty(), OneNodeSlurm.missing());
    started = OneNodeSlurm.start(dir);
  }

  @AfterAll
  static void stop() throws IOException {
    if (started != null) {
      started.close();
    }
  }

  private static OneNodeSlurm slurm() {
    if (started == null) {
      throw new IllegalStateException("not started");
    }
    return started;
  }

  @AfterEach
  void inServiceAgainWithoutJobs() throws IOException {
    slurm.tryRun("scancel", "--user=root");
    slurm.tryRun("scontrol", "delete", "reservation=m");
    slurm.tryRun("scontrol", "update", "NodeName=" + node, "State=RESUME", "Comment=");
    awaitNode(state -> state.service() == Service.IN_SERVICE && state.registered());
    await().atMost(LIMIT).until(() -> view().jobs().isEmpty());
  }

  private SlurmScheduler scheduler(SlurmPlatform platform) {
    return new SlurmScheduler(
        slurm.commands(),
        new SlurmBlocks(slurm.commands(), Clock.systemUTC()),
        platform,
        Clock.systemUTC());
  }

  @Test
  void theAccountOfSlurmctldIsKnown() throws UnreadableAnswer {
    assertThat(new CommandNodes(slurm.commands()).slurmUser())
        .containsExactlyInAnyOrder("root", "0");
  }

  private ClusterView view() {
    return view(scheduler);
  }

  private static ClusterView view(SlurmScheduler scheduler) {
    Seen seen = scheduler.view();
    assertThat(seen).isInstanceOf(View.class);
    return ((View) seen).cluster();
  }

  private NodeState now() {
    return view().node(node).orElseThrow();
  }

  private void awaitNode(Predicate<NodeState> is) {
    try {
      await().atMost(LIMIT).until(() -> scheduler.view() instanceof View && is.test(now()));
    } catch (ConditionTimeoutException late) {
      throw new AssertionError("the node is " + view().node(node), late);
    }
  }

  private void idle() {
    awaitNode(state -> state.service() == Service.IN_SERVICE && state.registered());
  }

  /** A command of another user. */
  private void update(String... settings) throws IOException {
    String[] line = new String[settings.length + 2];
    line[0] = "update";
    line[1] = "NodeName=" + node;
    System.arraycopy(settings, 0, line, 2, settings.length);
    slurm.scontrol(line);
  }

  private CommandResult begin(SlurmPlatform platform, Remedy remedy) {
    return SlurmRepairs.of(platform, slurm.commands(), Clock.systemUTC(), false, Map.of())
        .begin(new Repair(remedy, now(), OURS, "xid_79"));
  }

  private void untouched(Service service, String reason) {
    assertThat(now().service()).isEqualTo(service);
    assertThat(scheduler.drain(node, OURS)).isInstanceOf(Refused.class);
    assertThat(scheduler.resume(node, OURS)).isInstanceOf(Refused.class);
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isInstanceOf(Refused.class);
    assertThat(now().service()).isEqualTo(service);
    assertThat(now().reason()).isEqualTo(reason);
  }

  @Test
  void aNodeIsDrainedWhileItsJobRunsAndReturned() throws IOException {
    idle();
    String job = slurm.submit("--gres=gpu:2", "--job-name=a|b\n4711|N/A|eve|1|c|N/A|N/A|" + node);
    await().atMost(LIMIT).until(() -> view().jobs().size() == 1);

    assertThat(scheduler.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(now().service()).isEqualTo(Service.DRAINED);
    assertThat(now().heldFor(OURS)).isTrue();
    assertThat(now().reasonBy()).isEqualTo("root");
    assertThat(now().gpus()).isEqualTo(8);
    assertThat(view().jobs()).containsExactly(new Job(job, "root", Set.of(node), 2));
    assertThat(slurm.scontrol("show", "node", slurm.node)).contains("+DRAIN");

    slurm.run("scancel", job);
    await().atMost(LIMIT).until(() -> view().jobs().isEmpty());
    assertThat(now().service()).isEqualTo(Service.DRAINED);
    assertThat(scheduler.resume(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler.resume(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(now().service()).isEqualTo(Service.IN_SERVICE);
    assertThat(now().reason()).isEmpty();
    idle();
  }

  @Test
  void aSuspendedJobStillCounts() throws IOException {
    idle();
    String job = slurm.submit("--gres=gpu:1");
    await().atMost(LIMIT).until(() -> view().jobs().size() == 1);
    slurm.scontrol("suspend", job);

    assertThat(slurm.run("squeue", "--noheader", "--format=%T").strip()).isEqualTo("SUSPENDED");
    assertThat(new ClusterIndex(view()).jobsOn(node)).extracting(Job::id).containsExactly(job);
  }

  @Test
  void whatSomebodyElseDrainedStaysAsItIs() throws IOException {
    idle();
    update("State=DRAIN", "Reason=he said \"PSU\" = State=IDLE [x@2026-01-01T00:00:00]");
    assertThat(now().reason()).startsWith("he said \"PSU\" = State=IDLE");
    untouched(Service.DRAINED, now().reason());
    update("State=UNDRAIN");
    idle();
  }

  @Test
  void lineBreaksInTextsOfPeopleHideNothing() throws IOException {
    idle();
    update("Comment=rack\nNodeName=7 State=DOWN");
    assertThat(now().service()).isEqualTo(Service.IN_SERVICE);
    update("State=DRAIN", "Reason=new\rPSU\nask Kim");
    untouched(Service.DRAINED, "new\rPSU");
    update("State=UNDRAIN");
    idle();
  }

  @Test
  void downFailAndUndrainBySomebodyElse() throws IOException {
    idle();
    update("State=DOWN", "Reason=cable");
    untouched(Service.OUT, "cable");
    update("State=RESUME");
    idle();
    update("State=FAIL", "Reason=Action:Replace");
    untouched(Service.OUT, "Action:Replace");
    update("State=RESUME");
    idle();
    assertThat(scheduler.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    update("State=DOWN", "Reason=" + OURS);
    assertThat(now().heldFor(OURS)).isTrue();
    assertThat(scheduler.resume(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    idle();
  }

  @Test
  void aRebootKeepsTheNodeOutUntilItIsReturned() throws IOException {
    idle();
    assertThat(scheduler.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);

    awaitNode(state -> state.reason().equals(OURS + " : reboot issued"));
    await().atMost(LIMIT).until(() -> slurm.rebooted(1));
    assertThat(now().service()).isEqualTo(Service.OUT);
    assertThat(now().heldFor(OURS)).isTrue();
    assertThat(begin(SlurmPlatform.SLURM, Remedy.REBOOT_NODE)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler.resume(node, OURS)).isInstanceOf(NotYet.class);

    slurm.stopNode();
    slurm.startNode();
    awaitNode(state -> state.service() == Service.DRAINED);
    assertThat(now().heldFor(OURS)).isTrue();
    assertThat(now().service()).as("drained as before").isEqualTo(Service.DRAINED);
    assertThat(slurm.scontrol("show", "node", slurm.node)).contains("State=IDLE+DRAIN ");
    assertThat(scheduler.resume(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    idle();
    assertThat(slurm.rebooted(1)).isTrue();
  }

  @Test
  void aMaintenanceReservationIsSomebodyElses() throws IOException {
    idle();
    slurm.scontrol(
        "create",
        "reservation",
        "ReservationName=m",
        "StartTime=now",
        "Duration=10",
        "Users=root",
        "Flags=maint,ignore_jobs",
        "Nodes=" + node);
    awaitNode(state -> state.service() == Service.OUT);
    assertThat(slurm.scontrol("show", "node", slurm.node)).contains("MAINT");
    untouched(Service.OUT, "");
  }

  @Test
  void aResumeThatSlurmDoesByItselfIsSeen() throws IOException {
    idle();
    Outcome outcome =
        slurm.tryRun(
            "scontrol", "update", "NodeName=" + node, "State=DRAIN", "Reason=x", "ResumeAfter=1");
    if (outcome instanceof Exited exited && exited.code() != 0) {
      assertThat(exited.errors()).contains("ResumeAfter"); // Slurm 22.05 does not have it
      return;
    }
    untouched(Service.DRAINED, "x");
    idle();
  }

  @Test
  void nodesOfHiddenPartitionsAreSeenAndNamesForAllNodesAreRefused() throws IOException {
    idle();
    assertThat(view().nodes()).containsKey(new NodeName("absent1"));
    assertThat(view().nodes()).doesNotContainKey(new NodeName("cloud1")); // powered down
    NodeName all = new NodeName("ALL");
    assertThat(scheduler.drain(all, OURS)).isInstanceOf(NotYet.class);
    assertThat(scheduler.drain(new NodeName("p"), OURS)).isInstanceOf(NotYet.class);
    assertThat(now().service()).isEqualTo(Service.IN_SERVICE);
  }

  @Test
  void hyperPodsReasonKeepsTheNodeOurs() throws IOException {
    idle();
    update("Comment=rack 7, Reason=none");
    SlurmScheduler hyperPod = scheduler(SlurmPlatform.HYPERPOD);
    assertThat(hyperPod.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(begin(SlurmPlatform.HYPERPOD, Remedy.REPLACE_NODE))
        .isEqualTo(CommandResult.ACCEPTED);

    assertThat(now().reason()).isEqualTo("Action:Replace");
    assertThat(now().service()).isEqualTo(Service.OUT);
    assertThat(view(hyperPod).node(node).orElseThrow().heldFor(OURS)).isTrue();
    assertThat(hyperPod.resume(node, OURS)).isInstanceOf(NotYet.class);
    assertThat(now().reason()).isEqualTo("Action:Replace");
    Optional<Instant> before = now().booted();
    // Slurm's time of a boot and ours of the request have whole seconds.
    Instant requested = Instant.now();
    await().atMost(LIMIT).until(() -> Instant.now().isAfter(requested.plusSeconds(1)));
    slurm.rebootNode();
    awaitNode(state -> state.registered() && !state.booted().equals(before));
    assertThat(hyperPod.resume(node, OURS)).isEqualTo(CommandResult.ACCEPTED);
    idle();
    assertThat(slurm.scontrol("show", "node", slurm.node))
        .contains("Comment=rack 7, Reason=none\n");
  }

  private CommandResult end(String job) {
    return new SlurmJobEnder(slurm.commands())
        .end(new Job(job, "root", Set.of(node), 2), node, OURS);
  }

  private String runs(String job) throws IOException {
    return slurm.run("squeue", "--noheader", "--format=%T", "--jobs=" + job).strip();
  }

  @Test
  void aBatchJobIsRequeuedAndOthersAreLeftAlone() throws IOException {
    idle();
    String job = slurm.submit("--gres=gpu:1", "--requeue", "--job-name=x Requeue=0 BatchFlag=0");
    String kept = slurm.submit("--gres=gpu:1", "--no-requeue", "--job-name=x Requeue=1");
    await().atMost(LIMIT).until(() -> view().jobs().size() == 2);
    assertThat(scheduler.drain(node, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(end(kept)).isInstanceOf(Refused.class);
    assertThat(end("999999")).isEqualTo(CommandResult.ACCEPTED);
    assertThat(end(job)).isEqualTo(CommandResult.ACCEPTED);

    await().atMost(LIMIT).until(() -> runs(job).equals("PENDING"));
    await().atMost(LIMIT).until(() -> view().jobs().size() == 1);
    assertThat(runs(kept)).isEqualTo("RUNNING");
    assertThat(slurm.scontrol("show", "job", job)).contains("Restarts=1");
    assertThat(end(job)).isEqualTo(CommandResult.ACCEPTED); // it is on no node any more
    assertThat(slurm.scontrol("show", "job", job)).contains("Restarts=1");
  }

  @Test
  void anInteractiveJobIsNotEnded() throws Exception {
    idle();
    Thread salloc =
        new Thread(() -> slurm.interactive("salloc", "--gres=gpu:1", "sleep", "1000"), "salloc");
    salloc.start();
    await().atMost(LIMIT).until(() -> view().jobs().size() == 1);
    String job = view().jobs().get(0).id();

    assertThat(end(job))
        .isEqualTo(new Refused("job " + job + " is interactive: Slurm would not start it again"));

    assertThat(runs(job)).isEqualTo("RUNNING");
    slurm.run("scancel", job);
    salloc.join(LIMIT.toMillis());
  }

  /** The step files of its ranks have the id that Slurm gives to their processes. */
  @Test
  void aTaskOfAnArrayIsKnownByTheIdOfItsProcesses() throws IOException {
    idle();
    String array = slurm.submit("--array=1-2", "--gres=gpu:1");
    await().atMost(LIMIT).until(() -> view().jobs().size() == 2);
    for (Job task : view().jobs()) {
      assertThat(task.id()).startsWith(array + "_");
      assertThat(slurm.scontrol("show", "job", task.id()))
          .contains("JobId=" + task.processIds().iterator().next() + " ");
    }
    assertThat(view().jobs()).flatExtracting(Job::processIds).doesNotHaveDuplicates().hasSize(2);
    slurm.run("scancel", array);
  }

  @Test
  void waitingJobsAreListed() throws Exception {
    idle();
    slurm.submit("--hold", "--gres=gpu:4");
    slurm.submit("--array=1-3", "--begin=now+1hour");

    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(((Queue) scheduler.queue()).jobs())
                    .extracting(QueuedJob::reason, QueuedJob::gpus, QueuedJob::tasks)
                    .containsExactlyInAnyOrder(
                        tuple("JobHeldUser", 4, 1L), tuple("BeginTime", 0, 3L)));
    assertThat(view().jobs()).isEmpty();
  }

  @Test
  void aControllerThatIsDownIsNotAnIdleCluster() throws IOException {
    idle();
    slurm.stopController();
    try {
      assertThat(scheduler.view()).isInstanceOf(CannotSee.class);
      assertThat(scheduler.drain(node, OURS)).isInstanceOf(NotYet.class);
      assertThat(scheduler.resume(node, OURS)).isInstanceOf(NotYet.class);
    } finally {
      slurm.startController();
    }
    idle();
    assertThat(now().reason()).isEmpty();
  }
}
