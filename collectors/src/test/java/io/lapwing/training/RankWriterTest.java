package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Source;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The identity of a rank, by the kernel and not by its file. */
class RankWriterTest {

  private Path folder = Path.of("");
  private TrainingNode node = new TrainingNode(folder);
  private long me;

  @BeforeEach
  void begin(@TempDir Path made) throws IOException {
    folder = made;
    node = new TrainingNode(folder);
    me = ((Number) Files.getAttribute(folder, "unix:uid")).longValue();
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void put(int pid, String job, int rank) throws IOException {
    MadeSteps.rank(rank).integer(56, 0).pid(pid).job(job).steps(3).putInto(folder, pid + ".steps");
  }

  private OptionalDouble verified() {
    return node.rank().value(TrainingMetrics.VERIFIED);
  }

  private String jobId() {
    return node.source(node.names().get(0)).part().orElseThrow().labels().values().get(0);
  }

  @Test
  void aRankWhoseCgroupHasItsJobIsVerified() throws IOException {
    put(10, "4711", 0);
    node.slurm = true;
    node.process(10, 1, me, "4711").poll();
    assertThat(verified()).hasValue(1);
    assertThat(node.rank().value(TrainingMetrics.OWNER)).hasValue((double) me);
  }

  /** Whatever job its file names. */
  @Test
  void theRowOfARankHasThePodOfItsProcess() throws IOException {
    put(10, "llama", 0);
    put(11, "llama", 1);
    node.inPod(10, 1, me, "pod-a").process(11, 1, me).poll();

    assertThat(pods("training-llama-0")).containsExactly("pod-a");
    assertThat(pods("training-llama-1")).isEmpty();
  }

  private List<String> pods(String source) {
    return io.lapwing.collect.RecordedSink.of(node.source(source).collectors().get(0))
        .samples()
        .stream()
        .filter(sample -> sample.metric().equals(TrainingMetrics.POD))
        .map(sample -> sample.labels().values().get(sample.labels().names().indexOf("pod_uid")))
        .toList();
  }

  @Test
  void ofTwoJobIdsThatOfTheCgroupIsBelieved() throws IOException {
    put(10, "4711", 0);
    node.process(10, 1, me, "5000").poll();
    assertThat(jobId()).isEqualTo("5000");
    assertThat(node.names()).containsExactly("training-5000-0");
    assertThat(verified()).hasValue(1);
  }

  @Test
  void anIdThatNoCgroupOfSlurmHasIsNotVerified() throws IOException {
    put(10, "4711", 0);
    node.slurm = true;
    node.process(10, 1, me).poll();
    assertThat(verified()).hasValue(0);
    assertThat(jobId()).isEqualTo("4711");
  }

  /** As Slurm writes tasks of an array and components, and in full-width digits. */
  @ParameterizedTest
  @ValueSource(strings = {"4711_3", "4711+0", "4711-0", "\uff14\uff17\uff11\uff11", "4711\ufe0f"})
  void aNameThatReadsLikeAnIdNeedsItsCgroup(String name) throws IOException {
    put(10, name, 0);
    node.slurm = true;
    node.process(10, 1, me, "5000").poll();
    assertThat(verified()).hasValue(0);
    assertThat(jobId()).isEqualTo(name);
  }

  @Test
  void aTaskOfAnArrayMayAddItsNumber() throws IOException {
    put(10, "4711_3", 0);
    node.slurm = true;
    node.process(10, 1, me, "4711").poll();
    assertThat(verified()).hasValue(1);
  }

  @Test
  void withoutSlurmAndWithANameTheProcessIsEnough() throws IOException {
    put(10, "4711", 0);
    node.process(10, 1, me).process(11, 1, me).poll();
    assertThat(verified()).hasValue(1);
    Files.delete(folder.resolve("10.steps"));
    node.slurm = true;
    put(11, "experiment-7", 0);
    node.poll();
    assertThat(verified()).hasValue(1);
    assertThat(jobId()).isEqualTo("experiment-7");
  }

  @Test
  void theJobsOwnCgroupWinsOverTheFirst() throws IOException {
    node.slurm = true;
    put(10, "4711", 3);
    node.process(10, 1, me).poll();
    put(11, "4711", 3);
    node.process(11, 1, me, "4711").poll();
    assertThat(verified()).hasValue(1);
    put(12, "4711", 3);
    node.process(12, 1, me).poll(2);
    assertThat(node.rank().lines().get(0)).contains("pid=\"11\"");
    assertThat(node.poll(62).rejected()).isEqualTo(Map.of("duplicate", 2));
  }

  @Test
  void aProcessThatJoinsItsJobLaterIsVerifiedThen() throws IOException {
    node.slurm = true;
    put(10, "4711", 0);
    node.process(10, 1, me).poll();
    assertThat(verified()).hasValue(0);
    node.process(10, 1, me, "4711").poll(4);
    assertThat(verified()).hasValue(1);
  }

  @Test
  void anotherUsersProcessWithTheLockIsRefused() throws IOException {
    put(10, "4711", 0);
    node.process(10, 1, me + 1, "4711").poll();
    assertThat(node.names()).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("owner", 1));
  }

  @Test
  void ofTwoUsersTheProcessThatRunsLongerHasTheRank() {
    RankWriter early = writer(OptionalLong.of(100));
    RankWriter late = writer(OptionalLong.of(200));
    RankWriter unseen = writer(OptionalLong.empty());

    assertThat(early.startedBefore(late)).isTrue();
    assertThat(late.startedBefore(early)).isFalse();
    assertThat(early.startedBefore(unseen)).isFalse();
    assertThat(unseen.startedBefore(early)).isFalse();
  }

  private static RankWriter writer(OptionalLong started) {
    return new RankWriter(
        RankWriter.Standing.PROCESS, "a", 1, Optional.empty(), OptionalLong.of(7), started);
  }

  @Test
  void aUserHasSixteenRanksAndTheVerifiedComeFirst() throws IOException {
    node.slurm = true;
    node.gpuCount = 4;
    for (int rank = 0; rank < 20; rank++) {
      put(100 + rank, "1", rank);
      node.process(100 + rank, 1, me);
    }
    node.poll(2);
    assertThat(node.names()).hasSize(RankBudget.MAX_RANKS_OF_USER);
    assertThat(omitted()).isEqualTo(4);
    assertThat(node.warnings).singleElement().asString().contains("ranks_omitted");
    for (int rank = 0; rank < 8; rank++) {
      put(200 + rank, "4711", rank);
      node.process(200 + rank, 1, me, "4711");
    }
    node.poll(2);
    assertThat(node.names()).hasSize(RankBudget.MAX_RANKS_OF_USER);
    assertThat(node.names()).filteredOn(name -> name.startsWith("training-4711-")).hasSize(8);
    assertThat(omitted()).isEqualTo(12);
    assertThat(node.warnings).hasSize(1);
  }

  @Test
  void aNodeWithManyGpusReadsTwoRanksForEach() throws IOException {
    node.gpuCount = 16;
    for (int rank = 0; rank < 40; rank++) {
      put(100 + rank, "1", rank);
      node.process(100 + rank, 1, me);
    }
    assertThat(node.poll(2).names()).hasSize(32);
  }

  @Test
  void sixtyFourRanksAreReadInAllAndARoomIsFilledLater() throws IOException {
    node.gpuCount = 100;
    for (int rank = 0; rank < 70; rank++) {
      put(100 + rank, "1", rank);
    }
    node.poll(3);
    assertThat(node.names()).hasSize(RankBudget.MAX_RANKS);
    assertThat(omitted()).isEqualTo(6);
    for (String name : node.names().subList(0, 3)) {
      String rank = name.substring(name.lastIndexOf('-') + 1);
      Files.delete(folder.resolve(100 + Integer.parseInt(rank) + ".steps"));
    }
    assertThat(node.poll(62).names()).hasSize(RankBudget.MAX_RANKS);
    assertThat(omitted()).isEqualTo(3);
  }

  private double omitted() {
    Source finder = node.source;
    return io.lapwing.collect.RecordedSink.of(finder.collectors().get(0))
        .value(TrainingMetrics.RANKS_OMITTED)
        .orElseThrow();
  }

  @Test
  void forgedFilesOfANamespaceThatNobodyHasAreNotRead() throws IOException {
    for (int rank = 0; rank < 256; rank++) {
      MadeSteps.rank(rank)
          .integer(56, 0)
          .integer(28, 2)
          .process(1, 12_345, 4_026_539_999L)
          .job("\"".repeat(128))
          .run("\\".repeat(128))
          .putInto(folder, "f" + rank + ".steps");
    }
    put(10, "4711", 0);
    node.process(10, 1, me, "4711").poll(3);
    assertThat(node.names()).containsExactly("training-4711-0");
    assertThat(node.rejected()).isEqualTo(Map.of("process_gone", 256));
  }

  @Test
  void namesAreShortAndNeverEscaped() throws IOException {
    put(10, "\"\\".repeat(60), 0);
    node.poll();
    assertThat(jobId()).isEqualTo("_".repeat(64));
    put(10, "\ud83d\udc26".repeat(32), 0);
    node.poll();
    assertThat(jobId()).hasSize(64).isEqualTo("\ud83d\udc26".repeat(32));
    put(10, "a" + "\ud83d\udc26".repeat(31) + "bc", 0);
    node.poll();
    assertThat(jobId()).hasSize(64).endsWith("b");
  }

  @Test
  void aProcfsOfAnotherNamespaceHasThePidInItsLocks() throws IOException {
    Path proc = Files.createDirectory(folder.resolve("proc"));
    Files.createDirectory(proc.resolve("77"));
    Files.writeString(proc.resolve("77/status"), "Name:\tx\nUmask:\t0022\nNSpid:\t77\t5\n");
    Files.createSymbolicLink(proc.resolve("self"), Path.of("77"));
    put(10, "a", 0);
    UserFile.Attributes file = UserFile.Attributes.at(folder.resolve("10.steps"));
    String place =
        String.format(
            Locale.ROOT,
            "%02x:%02x:%d",
            (file.device() >> 8) & 0xfff,
            (file.device() & 0xff) | ((file.device() >> 12) & 0xffffff00L),
            file.inode());
    Files.writeString(
        proc.resolve("locks"),
        "1: FLOCK  ADVISORY  WRITE 9 %1$s 0 EOF\n2: -> POSIX  ADVISORY  WRITE 8 %1$s 0 0\n3: POSIX  ADVISORY  READ 7 %1$s 0 0\n4: POSIX  ADVISORY  WRITE 4242 %1$s 0 0\n"
            .formatted(place),
        StandardCharsets.UTF_8);
    ProcTrainingProcesses host = new ProcTrainingProcesses(new ProcFs(proc), folder);
    Process python =
        new ProcessBuilder(
                "python3",
                "-c",
                "import fcntl,sys;f=open(sys.argv[1],'r+b');fcntl.lockf(f,fcntl.LOCK_EX,1,0);"
                    + "print(1,flush=True);sys.stdin.read()",
                folder.resolve("10.steps").toString())
            .start();
    try (StepFile steps = StepFile.open(folder.resolve("10.steps"));
        var said = python.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("1");
      assertThat(steps.lock().pid()).isEqualTo(OptionalLong.of(python.pid()));
      assertThat(host.lock(steps)).isEqualTo(new UserFile.Lock(true, OptionalLong.of(4242)));
      ProcTrainingProcesses here = new ProcTrainingProcesses(new ProcFs(Path.of("/proc")), folder);
      assertThat(here.lock(steps).pid()).isEqualTo(OptionalLong.of(python.pid()));
      RankWriter writer = RankWriter.of(steps, here);
      assertThat(writer)
          .isEqualTo(
              new RankWriter(
                  RankWriter.Standing.PROCESS,
                  "a",
                  me,
                  Optional.empty(),
                  OptionalLong.of(python.pid()),
                  writer.started()));
      assertThat(writer.started()).isPresent();
    } catch (StepFile.RejectedException refused) {
      throw new AssertionError(refused);
    } finally {
      python.destroyForcibly();
    }
  }

  @Test
  void slurmIsSeenByItsCgroups() throws IOException {
    ProcTrainingProcesses processes =
        new ProcTrainingProcesses(new ProcFs(folder), folder.resolve("cgroup"));
    assertThat(processes.hasSlurm()).isFalse();
    Files.createDirectories(folder.resolve("cgroup/system.slice/ssh.service"));
    assertThat(processes.hasSlurm()).isFalse();
    Files.createDirectories(folder.resolve("cgroup/system.slice/slurmstepd.scope"));
    assertThat(processes.hasSlurm()).isTrue();
  }

  @Test
  void slurmIsSeenByTheCgroupOfAProcess() throws IOException {
    Files.createDirectory(folder.resolve("7"));
    Files.writeString(folder.resolve("7/stat"), "7 (x) S 1" + " 0".repeat(50));
    Files.writeString(
        folder.resolve("7/cgroup"), "0::/system.slice/slurmstepd.scope/job_9/step_0\n");
    ProcTrainingProcesses processes =
        new ProcTrainingProcesses(new ProcFs(folder), folder.resolve("cgroup"));
    assertThat(processes.hasSlurm()).isFalse();
    assertThat(processes.find(7).orElseThrow().job()).hasValue("9");
    assertThat(processes.hasSlurm()).isTrue();
  }
}
