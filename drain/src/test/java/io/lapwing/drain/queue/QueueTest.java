package io.lapwing.drain.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.queue.QueueSummary.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private final List<NodeState> nodes = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final QueueReasons reasons = new QueueReasons();

  private void node(String name, Service service) {
    nodes.add(
        new NodeState(
            new NodeName(name), service, "", "", Set.of("p5"), true, "", Optional.empty(), 8));
  }

  /** Four nodes of eight GPUs: a is free, b has a job of four GPUs, c is full, d is drained. */
  private Capacity cluster() {
    node("a", Service.IN_SERVICE);
    node("b", Service.IN_SERVICE);
    node("c", Service.IN_SERVICE);
    node("d", Service.DRAINED);
    jobs.add(new Job("1", "", Set.of(new NodeName("b")), 4));
    jobs.add(new Job("2", "", Set.of(new NodeName("c")), 0));
    return Capacity.of(ClusterView.of(NOW, nodes, jobs));
  }

  private static QueuedJob waits(String reason, int count, int gpus) {
    return waits("9", reason, count, gpus, 1, "ml");
  }

  private static QueuedJob waits(
      String id, String reason, int count, int gpus, long tasks, String account) {
    Optional<Instant> hourAgo = Optional.of(NOW.minusSeconds(3600));
    return new QueuedJob(
        id, "ada", Set.of("p5"), account, "normal", reason, hourAgo, hourAgo, count, gpus, tasks);
  }

  @Test
  void eachGpuIsCountedOnce() {
    GroupCapacity p5 = cluster().group("p5").orElseThrow();
    assertThat(p5).isEqualTo(new GroupCapacity("p5", 4, 1, 32, 12, 8, 4, 8, 8, 1, 8));
    assertThat(p5.allocated() + p5.free() + p5.fragmented() + p5.outOfService())
        .isEqualTo(p5.gpus());
  }

  @Test
  void aNodeThatDoesNotAnswerIsNotFree() {
    nodes.add(
        new NodeState(
            new NodeName("x"),
            Service.IN_SERVICE,
            "",
            "",
            Set.of("p5"),
            false,
            "",
            Optional.empty(),
            8));
    assertThat(Capacity.of(ClusterView.of(NOW, nodes, jobs)).group("p5").orElseThrow().free())
        .isZero();
  }

  @Test
  void theStateOfTheNodesSaysWhatAJobWaitsFor() {
    Capacity capacity = cluster();
    assertThat(reasons.of(waits("Resources", 5, 40), capacity))
        .isEqualTo(
            new Wait(
                Layer.WORKLOAD,
                "it asks for 5 nodes with 40 GPUs, and p5 has 4 nodes with 32 GPUs in all"));
    assertThat(reasons.of(waits("Resources", 2, 16), capacity))
        .isEqualTo(
            new Wait(
                Layer.PROVISIONING,
                "it asks for 2 nodes with 16 GPUs; 1 node with 8 GPUs of p5 are free, and it would fit"
                    + " if 8 GPUs came back"));
    assertThat(reasons.of(waits("Resources", 3, 24), capacity).layer()).isEqualTo(Layer.SCHEDULING);
    assertThat(reasons.of(waits("Resources", 1, 8), capacity).words())
        .contains("are free: the scheduler keeps them for other jobs");
    assertThat(reasons.of(waits("ReqNodeNotAvail,_UnavailableNodes:d", 2, 16), capacity).layer())
        .isEqualTo(Layer.PROVISIONING);
  }

  @Test
  void aNodeWithoutGpusIsFreeOnlyWithoutAJob() {
    for (String name : List.of("a", "b", "c")) {
      Service service = name.equals("c") ? Service.DRAINED : Service.IN_SERVICE;
      nodes.add(
          new NodeState(
              new NodeName(name), service, "", "", Set.of("p5"), true, "", Optional.empty(), 0));
    }
    jobs.add(new Job("1", "", Set.of(new NodeName("a"), new NodeName("b")), 0));
    assertThat(reasons.of(waits("Resources", 2, 0), Capacity.of(ClusterView.of(NOW, nodes, jobs))))
        .isEqualTo(
            new Wait(Layer.SCHEDULING, "it asks for 2 nodes; 0 of the 3 nodes of p5 are free"));
    assertThat(
            reasons
                .of(waits("Resources", 1, 0), Capacity.of(ClusterView.of(NOW, nodes, jobs)))
                .words())
        .endsWith("it would fit if 1 node came back");
  }

  @Test
  void gpusBesideOtherJobsAreFragments() {
    node("a", Service.IN_SERVICE);
    node("b", Service.IN_SERVICE);
    jobs.add(new Job("1", "", Set.of(new NodeName("a"), new NodeName("b")), 8));
    Capacity capacity = Capacity.of(ClusterView.of(NOW, nodes, jobs));
    assertThat(reasons.of(waits("Resources", 1, 8), capacity))
        .isEqualTo(
            new Wait(
                Layer.SCHEDULING,
                "it asks for 1 node with 8 GPUs; 8 GPUs of p5 are free, but 8 of them on nodes with"
                    + " other jobs"));
  }

  @Test
  void theWordOfSlurmSaysTheRest() {
    Capacity capacity = cluster();
    assertThat(reasons.of(waits("Priority", 1, 8), capacity).layer()).isEqualTo(Layer.SCHEDULING);
    assertThat(reasons.of(waits("QOSMaxGRESPerUser", 1, 8), capacity).layer())
        .isEqualTo(Layer.RESERVATION);
    assertThat(reasons.of(waits("DependencyNeverSatisfied", 1, 8), capacity).words())
        .contains("never starts");
    assertThat(reasons.of(waits("", 1, 8), capacity).layer()).isEqualTo(Layer.UNKNOWN);
    assertThat(reasons.of(waits("SomethingNew", 1, 8), capacity))
        .isEqualTo(new Wait(Layer.UNKNOWN, "the scheduler says SomethingNew"));
  }

  @Test
  void jobsAreCountedByPartitionAccountAndLayer() {
    List<QueuedJob> queue =
        List.of(
            waits("1", "Priority", 2, 16, 1, "ml"),
            waits("2_[0-9]", "Priority", 1, 8, 10, "ml"),
            waits("3", "JobHeldUser", 1, 8, 1, "bio"));
    assertThat(QueueSummary.of(queue, reasons, cluster(), NOW).waiting())
        .hasSize(2)
        .containsEntry(
            new QueueSummary.Key("p5", "ml", Layer.SCHEDULING), new Waiting(11, 96, 3600))
        .containsEntry(new QueueSummary.Key("p5", "bio", Layer.WORKLOAD), new Waiting(1, 8, 3600));
  }

  @Test
  void namesThatUsersChooseMakeNoEndlessSeries() {
    List<QueuedJob> queue = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      queue.add(waits("" + i, "Priority", 1, 8, 1, "account" + i));
    }
    var waiting = QueueSummary.of(queue, reasons, cluster(), NOW).waiting();
    assertThat(waiting).hasSize(401);
    assertThat(waiting.values().stream().mapToLong(Waiting::jobs).sum()).isEqualTo(5000);
  }

  @Test
  void aJobThatStartsIsCountedOnceAndOneThatIsCancelledNever() {
    WaitTimes times = new WaitTimes();
    List<QueuedJob> queue =
        List.of(waits("1", "Priority", 1, 8, 1, "ml"), waits("2", "Priority", 1, 8, 1, "ml"));
    times.update(queue, List.of(), NOW);
    Job started = new Job("1", "", Set.of(new NodeName("a")), 8);
    times.update(List.of(), List.of(started), NOW.plusSeconds(60));
    times.update(List.of(), List.of(started), NOW.plusSeconds(120));
    WaitTimes.Histogram p5 = Objects.requireNonNull(times.groups().get("p5"));
    assertThat(p5.sum()).isEqualTo(3660);
    List<QueuedJob> array = List.of(waits("3_[0-9]", "Priority", 1, 8, 10, "ml"));
    times.update(array, List.of(), NOW.plusSeconds(180));
    Job task = new Job("3_0", "", Set.of(new NodeName("a")), 8);
    times.update(array, List.of(task), NOW.plusSeconds(240));
    times.update(array, List.of(task), NOW.plusSeconds(300));
    assertThat(p5.sum()).as("one task").isEqualTo(3660 + 3840);
    assertThat(p5.counts()).containsExactly(0L, 0L, 0L, 0L, 0L, 2L, 2L, 2L, 2L, 2L);
  }

  /** What runs was read before the queue. */
  @Test
  void aJobThatStartsBetweenTwoAnswersIsCountedInTheNextReading() {
    WaitTimes times = new WaitTimes();
    times.update(List.of(waits("4711+0", "Priority", 1, 8, 1, "ml")), List.of(), NOW);
    times.update(List.of(), List.of(), NOW.plusSeconds(60));
    Job started = new Job("4711", "", Set.of(new NodeName("a")), 8);
    times.update(List.of(), List.of(started), NOW.plusSeconds(120));
    times.update(List.of(), List.of(started), NOW.plusSeconds(180));
    assertThat(Objects.requireNonNull(times.groups().get("p5")).sum()).isEqualTo(3720);
  }

  @Test
  void aTaskOfAnArrayIsExplainedByTheRecordThatHasIt() {
    cluster();
    QueueWatch watch =
        new QueueWatch(
            () ->
                new JobQueue.Queue(
                    List.of(
                        waits("8_2", "Resources", 2, 16, 1, "ml"), // requeued: by itself
                        waits("8_[4-9:2,12%4]", "Priority", 1, 8, 4, "ml"))),
            () -> Optional.of(ClusterView.of(NOW, nodes, jobs)));
    watch.read(NOW);

    assertThat(watch.why("8_2").orElseThrow()).startsWith("job 8_2 waits for provisioning: ");
    assertThat(watch.why("8_6").orElseThrow())
        .startsWith("job 8_[4-9:2,12%4] (4 tasks) waits for scheduling: ");
    assertThat(watch.why("8_12").orElseThrow())
        .startsWith("job 8_[4-9:2,12%4] (4 tasks) waits for ");
    assertThat(watch.why("8_3")).as("it runs, or is over").isEmpty();
    assertThat(watch.why("8_13")).isEmpty();
    assertThat(watch.why("88")).isEmpty();
    assertThat(watch.why("8").orElseThrow())
        .contains("job 8_2 waits for provisioning: ")
        .contains("\njob 8_[4-9:2,12%4] (4 tasks) waits for scheduling: ");
  }

  @Test
  void aJobIsExplainedByItsIdAndAnUnreadableQueueIsNotAnEmptyOne() {
    cluster();
    List<JobQueue.Answer> answers = new ArrayList<>();
    answers.add(
        new JobQueue.Queue(
            List.of(
                waits("7", "Resources", 2, 16, 1, "ml"),
                waits("8_[0-9]", "Priority", 1, 8, 10, "ml"))));
    answers.add(new JobQueue.Unreadable("squeue did not end within PT10S"));
    QueueWatch watch =
        new QueueWatch(
            () -> answers.remove(0), () -> Optional.of(ClusterView.of(NOW, nodes, jobs)));
    assertThat(watch.last().problem()).contains("the queue has not been read yet");
    watch.read(NOW);
    assertThat(watch.why("7").orElseThrow())
        .startsWith("job 7 waits for provisioning: it asks for 2 nodes with 16 GPUs; ")
        .endsWith(" (Resources)");
    assertThat(watch.why("8").orElseThrow())
        .startsWith("job 8_[0-9] (10 tasks) waits for scheduling: ");
    assertThat(watch.why("9")).isEmpty();
    watch.read(NOW);
    assertThat(watch.last().problem()).contains("squeue did not end within PT10S");
    assertThat(watch.why("7")).isEmpty();
  }
}
