package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobRunTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Steps just long enough to distinguish their parts. */
  private static final Map<String, String> QUICK =
      Map.of(
          "training.job", "4711",
          "training.data", "0.005",
          "training.compute", "0.02",
          "training.communication", "0.005",
          "training.checkpoint", "0.01",
          "training.checkpoint_every", "5");

  /** The one in Python where there is one to run it. */
  static Stream<StepsWriter> writers() {
    boolean python =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
    return python ? Stream.of(StepsWriter.values()) : Stream.of(StepsWriter.C);
  }

  private static SimulatedNode node(Path dir) {
    return SimulatedNode.create(dir, InstanceType.named("g5.48xlarge").withoutEfa());
  }

  private static void awaitSteps(SimulatedNode node, long steps) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(StepFile.all(node))
                    .hasSize(8)
                    .allMatch(rank -> rank.written() >= steps));
  }

  private static double median(StepFile rank, ToDoubleFunction<StepFile.Step> part) {
    double[] sorted = rank.steps().stream().mapToDouble(part).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static String proc(SimulatedNode node, long pid, String file) throws IOException {
    return Files.readString(node.procfs().resolve(pid + "/" + file));
  }

  private static void assertNothingLeft(SimulatedNode node, List<Long> pids) throws IOException {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(pids).noneMatch(pid -> Files.exists(Path.of("/proc/" + pid))));
    assertThat(pids).noneMatch(pid -> Files.exists(node.procfs().resolve(pid.toString())));
    assertThat(StepFile.all(node)).isEmpty();
    assertThat(node.dir().resolve(JobTree.MAPPING)).isEmptyDirectory();
    assertThat(node.sysfs().resolve("fs/cgroup")).doesNotExist();
    assertThat(node.lines()).containsEntry("gpu.0.processes", "");
    assertThat(node.procfs().resolve("1/comm")).doesNotExist();
    assertThat(node.procfs().resolve("2")).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("writers")
  void everyGpuHasARankThatWritesItsSteps(StepsWriter writer, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    try (JobRun run = node.letJobRun(List.of(writer))) {
      awaitSteps(node, 12);
      List<StepFile> ranks = StepFile.all(node);
      assertThat(ranks).extracting(StepFile::rank).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(ranks).extracting(StepFile::pid).containsExactlyElementsOf(run.pids());
      for (StepFile rank : ranks) {
        assertThat(rank.simulated()).isTrue();
        assertThat(rank.job()).isEqualTo("4711");
        assertThat(rank.worldSize()).isEqualTo(8);
        assertThat(rank.gpu()).isEqualTo(node.lines().get("gpu." + rank.rank() + ".uuid"));
        assertThat(rank.precision()).isEqualTo("bf16");
        assertThat(rank.flopsPerToken()).isEqualTo(4.8e10);
        assertThat(rank.phase()).isIn(1L, 3L);
        StepFile.Step last = rank.steps().get(rank.steps().size() - 1);
        assertThat(last.number()).isEqualTo(rank.written());
        assertThat(last.tokens()).isEqualTo(288);
        assertThat(last.loss()).isBetween(3.0, rank.steps().get(0).loss());
        assertThat(last.data() + last.compute() + last.communication())
            .isLessThanOrEqualTo(last.duration() + 1e-9);
        assertThat(rank.steps()).anyMatch(step -> step.checkpoint() >= 0.01);
        assertThat(rank.durableStep()).isIn(5L, 10L, 15L, 20L);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void theOthersWaitForTheRankThatIsSlow(StepsWriter writer, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    node.set("training.3.slower", "6");
    try (JobRun run = node.letJobRun(List.of(writer))) {
      awaitSteps(node, 8);
      assertThat(run.pids()).hasSize(8);
      List<StepFile> ranks = StepFile.all(node);
      StepFile slow = ranks.get(3);
      assertThat(ranks)
          .filteredOn(rank -> rank.rank() != 3)
          .allSatisfy(
              rank -> {
                assertThat(median(rank, StepFile.Step::compute))
                    .isLessThan(median(slow, StepFile.Step::compute));
                assertThat(median(rank, StepFile.Step::communication))
                    .isGreaterThan(median(slow, StepFile.Step::communication));
              });
    }
  }

  /** A longer sequence: each rank is the slowest of some steps, and none of most. */
  @ParameterizedTest
  @MethodSource("writers")
  void unevenWorkMovesFromRankToRank(StepsWriter writer, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    node.set("training.uneven", "5");
    try (JobRun run = node.letJobRun(List.of(writer))) {
      awaitSteps(node, 16);
      assertThat(run.pids()).hasSize(8);
      for (StepFile rank : StepFile.all(node)) {
        List<Long> longest =
            rank.steps().stream()
                .filter(step -> step.compute() > 0.1)
                .map(StepFile.Step::number)
                .toList();
        assertThat(longest).contains(8L + rank.rank());
        assertThat(median(rank, StepFile.Step::compute)).isLessThan(0.1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void aSaverInTheBackgroundIsDurableLater(StepsWriter writer, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    node.setAll(
        Map.of("training.durable", "1", "training.checkpoint_every", "8", "training.nodes", "4"));
    try (JobRun run = node.letJobRun(List.of(writer))) {
      awaitSteps(node, 10);
      assertThat(run.pids()).hasSize(8);
      assertThat(StepFile.all(node))
          .allMatch(rank -> rank.worldSize() == 32)
          .allMatch(rank -> rank.steps().stream().anyMatch(step -> step.checkpoint() >= 0.01));
      // Otherwise the next one begins before this one is durable.
      node.set("training.checkpoint_every", "0");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(StepFile.all(node))
                      .allMatch(rank -> rank.durableStep() > 0 && rank.durableStep() % 8 == 0));
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void aStoppedJobIsStuckInItsStepAndContinues(StepsWriter writer, @TempDir Path dir)
      throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    try (JobRun run = node.letJobRun(List.of(writer))) {
      awaitSteps(node, 2);
      node.set("training.stopped", "1");
      await()
          .during(Duration.ofMillis(300))
          .atMost(PATIENCE)
          .until(() -> written(node), new Unchanged<>()::sameAsBefore);
      assertThat(StepFile.all(node)).allMatch(rank -> rank.phase() == 1);
      long stoodAt = written(node);
      node.clear("training.stopped");
      awaitSteps(node, stoodAt / 8 + 3);
      assertThat(run.pids()).hasSize(8);
    }
  }

  private static long written(SimulatedNode node) throws IOException {
    return StepFile.all(node).stream().mapToLong(StepFile::written).sum();
  }

  private static final class Unchanged<T> {
    private Object before = "";

    boolean sameAsBefore(T now) {
      boolean same = now.equals(before);
      before = now;
      return same;
    }
  }

  @Test
  void theNodeShowsTheJobOfTheProcesses(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    try (JobRun run = node.letJobRun()) {
      long pid = run.pids().get(5);
      assertThat(node.lines()).containsEntry("gpu.5.processes", pid + ":60000");
      assertThat(proc(node, pid, "cgroup"))
          .isEqualTo("0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_5\n");
      assertThat(proc(node, pid, "environ").split("\0"))
          .contains("SLURM_JOB_ID=4711", "SLURM_JOB_USER=ada", "SLURM_PROCID=5")
          .contains("SLURM_JOB_ACCOUNT=llm", "SLURM_JOB_PARTITION=train");
      assertThat(
              node.sysfs()
                  .resolve("fs/cgroup/system.slice/slurmstepd.scope/job_4711")
                  .resolve("step_0/user/task_5/cgroup.procs"))
          .hasContent(Long.toString(pid));
      assertThat(node.dir().resolve("run/slurm/dcgm-job-mapping/5")).hasContent("4711");
      awaitSteps(node, 1);
      String[] fields = proc(node, pid, "stat").split("\\) ", 2)[1].split(" ", -1);
      assertThat(fields[19]).isEqualTo(Long.toString(StepFile.all(node).get(5).startTicks()));
      assertThat(proc(node, pid, "status"))
          .contains("Uid:\t" + Files.getAttribute(node.dir(), "unix:uid") + "\t");
      assertThat(Files.getAttribute(node.procfs().resolve("1/ns/pid"), "unix:ino"))
          .isEqualTo(StepFile.all(node).get(5).pidNamespace());
      assertThat(Files.getOwner(node.procfs().resolve(Long.toString(pid))))
          .isEqualTo(Files.getOwner(node.dir().resolve(TrainingJob.STEPS)));
    }
  }

  @ParameterizedTest
  @MethodSource("writers")
  void nothingIsLeftOfAJobThatIsClosed(StepsWriter writer, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    JobRun run = node.letJobRun(List.of(writer));
    List<Long> pids = run.pids();
    awaitSteps(node, 1);
    run.close();
    run.close();
    assertThat(run.pids()).isEmpty();
    assertNothingLeft(node, pids);
  }

  @Test
  void aJobRunsWhileALineNamesItAndEndsWithTheMachine(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (JobRun run = node.letJobRun()) {
      assertThat(run.pids()).isEmpty();
      assertThat(node.dir().resolve("run")).doesNotExist();
      node.setAll(QUICK);
      List<Long> first = run.pids();
      assertThat(first).hasSize(8);
      node.set("training.job", "4712");
      assertThat(run.pids()).hasSize(8).doesNotContainAnyElementsOf(first);
      assertThat(node.dir().resolve("run/slurm/dcgm-job-mapping/0")).hasContent("4712");
      List<Long> second = run.pids();
      node.reboot();
      assertThat(run.pids()).isEmpty();
      assertNothingLeft(node, second);
    }
  }

  @Test
  void aRankThatIsKilledLeavesItsGpuAndTheOthersWaitInVain(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    try (JobRun run = node.letJobRun()) {
      awaitSteps(node, 2);
      long killed = run.pids().get(2);
      ProcessHandle.of(killed).orElseThrow().destroyForcibly();
      await().atMost(PATIENCE).until(() -> node.lines().get("gpu.2.processes"), String::isEmpty);
      assertThat(node.procfs().resolve(Long.toString(killed))).doesNotExist();
      assertThat(node.procfs().resolve(Long.toString(run.pids().get(3)))).exists();
    }
  }

  @Test
  void withoutAWriterThereIsNoJobAndNoProcess(@TempDir Path dir) {
    SimulatedNode node = node(dir);
    node.setAll(QUICK);
    assertThatThrownBy(() -> node.letJobRun(List.of()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("no writer");
    assertThat(node.lines()).containsEntry("gpu.0.processes", "20000:60000");
  }

  @Test
  void aJobLivesInRealTime(@TempDir Path dir) {
    SimulatedNode fast = node(dir);
    fast.pace(100);
    assertThatThrownBy(fast::letJobRun).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aNodeWithAJobKeepsRealTime(@TempDir Path dir) {
    SimulatedNode node = node(dir);
    try (JobRun run = node.letJobRun()) {
      assertThat(run.pids()).isEmpty();
      assertThatThrownBy(() -> node.pace(2)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aJobWithoutLetJobRunExistsInLinesOnly(@TempDir Path dir) {
    SimulatedNode node = node(dir);
    Map<String, String> lines = new LinkedHashMap<>(QUICK);
    lines.put("training.3.slower", "1.4");
    node.setAll(lines);
    assertThat(node.dir().resolve("run")).doesNotExist();
  }
}
