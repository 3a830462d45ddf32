package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.collect.Access;
import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.UserFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery and validation of step files. */
class TrainingSourceTest {

  private Path folder = Path.of("");
  private TrainingNode node = new TrainingNode(folder);

  @BeforeEach
  void begin(@TempDir Path made) {
    folder = made;
    node = new TrainingNode(folder);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private Path put(MadeSteps steps, String name) throws IOException {
    return steps.putInto(folder, name);
  }

  private static long user(Path file) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:uid")).longValue();
  }

  @Test
  void withoutAFolderTheSourceIsAbsent() throws IOException {
    TrainingNode none = new TrainingNode(folder.resolve("none"));
    assertThat(none.source.begin(none.source.collectors())).isInstanceOf(Access.NothingHere.class);
    Files.createDirectory(folder.resolve("none"));
    MadeSteps.rank(0).putInto(folder.resolve("none"), "a.steps");
    assertThat(none.poll().names()).containsExactly("training-4711-0");
    Files.delete(folder.resolve("none/a.steps"));
    Files.delete(folder.resolve("none"));
    assertThat(none.poll().names()).isEmpty();
  }

  @Test
  void aFileInThePlaceOfTheFolderIsAFailure() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    TrainingNode odd = new TrainingNode(file);
    assertThat(odd.source.begin(odd.source.collectors())).isInstanceOf(Access.Down.class);
  }

  @Test
  void eachRankIsASourceAndAPartOfTheNode() throws IOException {
    put(MadeSteps.rank(0), "a.steps");
    put(MadeSteps.rank(1), "b.steps");
    assertThat(node.poll().names()).containsExactlyInAnyOrder("training-4711-0", "training-4711-1");
    Part part = node.source("training-4711-1").part().orElseThrow();
    assertThat(part.kind()).isEqualTo("training");
    assertThat(part.name()).isEqualTo("4711/1");
    assertThat(part.labels().names()).containsExactly("job_id", "run", "rank", "local_rank", "gpu");
    assertThat(node.source.part()).contains(Part.whole("training"));
    assertThat(node.source("training-4711-1").workerGroup()).isEqualTo(node.source.workerGroup());
  }

  @Test
  void newAndRemovedFilesAreSeenOnTheNextPoll() throws IOException {
    node.poll();
    put(MadeSteps.rank(0), "a.steps");
    assertThat(node.poll().names()).containsExactly("training-4711-0");
    put(MadeSteps.rank(1), "b.steps");
    Files.delete(folder.resolve("a.steps"));
    assertThat(node.poll().names()).containsExactly("training-4711-1");
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void aRestartedRankTakesTheNameOfTheFormerOne() throws IOException {
    put(MadeSteps.rank(0).steps(9), "a.steps");
    node.poll();
    put(MadeSteps.rank(0).created(MadeSteps.BEGAN.plusSeconds(1)).step(), "a.steps");
    assertThat(node.poll().rank().value(TrainingMetrics.STEPS)).hasValue(1);
    assertThat(node.removed).containsExactly("training-4711-0");
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void hiddenAndOtherFilesAreIgnored() throws IOException {
    Files.writeString(folder.resolve(".4711.0.tmp"), "half");
    Files.writeString(folder.resolve(".x.steps"), "half");
    Files.writeString(folder.resolve("README"), "text");
    assertThat(node.poll().names()).isEmpty();
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void aLoopWithoutARankIsRead() throws IOException {
    put(MadeSteps.rank(-1), "alone.steps");
    assertThat(node.poll().names()).containsExactly("training-4711--");
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void invalidFilesAreCountedOnceByReason() throws IOException, InterruptedException {
    Files.createDirectory(folder.resolve("folder.steps"));
    Path good = put(MadeSteps.rank(0), "good.steps");
    Files.createSymbolicLink(folder.resolve("link.steps"), good);
    Files.createSymbolicLink(folder.resolve("void.steps"), folder.resolve("nowhere"));
    assertThat(new ProcessBuilder("mkfifo", folder + "/fifo.steps").start().waitFor()).isZero();
    Files.writeString(folder.resolve("empty.steps"), "");
    Files.write(folder.resolve("zeros.steps"), new byte[1024 + 20 * 192]);
    put(MadeSteps.rank(1).integer(8, 2), "version.steps");
    put(MadeSteps.rank(1).integer(20, 15), "capacity.steps");
    put(MadeSteps.rank(1).integer(20, Integer.MAX_VALUE), "capacity2.steps");
    put(MadeSteps.rank(-2), "rank.steps");
    put(MadeSteps.rank(8), "rank2.steps");
    put(MadeSteps.rank(1).pid(0), "pid.steps");
    put(MadeSteps.rank(1).integer(84, -7), "parallel.steps");
    try (RandomAccessFile sparse = new RandomAccessFile(folder + "/sparse.steps", "rw")) {
      sparse.setLength(1L << 40);
    }
    node.poll(65);
    assertThat(node.names()).containsExactly("training-4711-0");
    assertThat(node.rejected())
        .isEqualTo(
            Map.of(
                "not_regular", 4,
                "bad_size", 2,
                "bad_magic", 1,
                "version", 1,
                "bad_header", 5,
                "too_big", 1));
  }

  @Test
  void aNameThatIsNotTextIsCounted() throws IOException, InterruptedException {
    put(MadeSteps.rank(0), "good.steps");
    String odd = "cd \"$1\" && touch \"$(printf '\\377\\376').steps\" \"$(printf 'a\\nb').steps\"";
    assertThat(new ProcessBuilder("sh", "-c", odd, "sh", folder.toString()).start().waitFor())
        .isZero();
    assertThat(node.poll(3).names()).containsExactly("training-4711-0");
    assertThat(node.rejected()).isEqualTo(Map.of("bad_name", 2));
  }

  @Test
  void aRepairedFileIsRead() throws IOException {
    put(MadeSteps.rank(0).integer(8, 9), "a.steps");
    node.poll();
    put(MadeSteps.rank(0), "a.steps");
    assertThat(node.poll().names()).hasSize(1);
    assertThat(node.rejected()).isEqualTo(Map.of("version", 1));
  }

  @Test
  void anUnreadableFileIsCounted() throws IOException {
    Path file = put(MadeSteps.rank(0), "a.steps");
    assumeTrue(user(file) != 0, "root may read everything");
    Files.setPosixFilePermissions(file, java.util.Set.of());
    node.poll();
    assertThat(node.rejected()).isEqualTo(Map.of("no_permission", 1));
  }

  @Test
  void aFileMustBelongToTheUserOfTheProcessThatItNames() throws IOException {
    Path file = put(MadeSteps.rank(0).process(77, 500, TrainingNode.NAMESPACE), "a.steps");
    node.process(77, 500, user(file) + 1).poll();
    assertThat(node.names()).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("owner", 1));
    node.process(77, 500, user(file)).poll(61);
    assertThat(node.names()).hasSize(1);
  }

  @Test
  void aRankOfAnExitedProcessIsRemoved() throws IOException {
    Path file = put(MadeSteps.rank(0).process(77, 500, TrainingNode.NAMESPACE), "a.steps");
    node.process(77, 500, user(file)).poll(3);
    assertThat(node.names()).hasSize(1);
    node.processes.clear();
    node.poll(2);
    assertThat(node.names()).isEmpty();
    assertThat(node.poll(130).rejected()).isEqualTo(Map.of("process_gone", 1));
  }

  @Test
  void aProcessThatHasEndedIsGoneThoughNobodyFetchedItsStatus() throws IOException {
    Path file = put(MadeSteps.rank(0).process(77, 500, TrainingNode.NAMESPACE), "a.steps");
    node.process(77, 500, user(file)).poll(3);
    node.states.put(77L, ProcessState.ENDED);
    node.poll(2);
    assertThat(node.names()).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("process_gone", 1));
  }

  /** Three ranks of job 4711 in processes 70 to 72. */
  private Path[] threeRanks() throws IOException {
    Path[] files = new Path[3];
    for (int rank = 0; rank < 3; rank++) {
      files[rank] =
          put(
              MadeSteps.rank(rank).process(70 + rank, 500, TrainingNode.NAMESPACE).steps(3),
              "r" + rank + ".steps");
      node.process(70 + rank, 500, user(files[rank]));
    }
    node.poll(3);
    assertThat(node.names()).hasSize(3);
    return files;
  }

  /** One a second. */
  private void seconds(int count) {
    for (int i = 0; i < count; i++) {
      node.later(Duration.ofSeconds(1)).poll();
    }
  }

  /** {@code 4711/1/pid 71}, with the number of those that outlived it. */
  private Map<String, Integer> gone() {
    Map<String, Integer> gone = new HashMap<>();
    RecordedSink.of(node.source.collectors().get(0)).samples().stream()
        .filter(sample -> sample.metric().name().equals(TrainingMetrics.RANK_OUTLIVED.name()))
        .forEach(
            sample -> {
              List<String> labels = sample.labels().values();
              gone.put(
                  labels.get(0) + "/" + labels.get(2) + "/pid " + labels.get(4),
                  (int) sample.value());
            });
    return gone;
  }

  @Test
  void aRankThatIsKilledIsRememberedWhileTheOthersWait() throws IOException {
    threeRanks();
    node.processes.remove(71L);
    seconds(5);
    assertThat(gone()).as("the others may be ending too").isEmpty();
    seconds(10);
    assertThat(gone()).isEqualTo(Map.of("4711/1/pid 71", 2));
    seconds(1500);
    assertThat(gone()).isEqualTo(Map.of("4711/1/pid 71", 2));
    node.processes.clear();
    seconds(590);
    assertThat(gone()).hasSize(1);
    seconds(20);
    assertThat(gone()).isEmpty();
  }

  @Test
  void aRankThatIsKilledIsRememberedWhereTheOthersEndBecauseOfIt() throws IOException {
    Path[] files = threeRanks();
    node.processes.remove(71L);
    node.later(Duration.ofMillis(100));
    end(files, 0, 2);
    Files.delete(files[0]);
    seconds(15);
    assertThat(node.names()).isEmpty();
    assertThat(gone()).isEqualTo(Map.of("4711/1/pid 71", 2));
  }

  /** Now. */
  private void end(Path[] files, int... ranks) throws IOException {
    for (int rank : ranks) {
      MadeSteps.rank(rank)
          .process(70 + rank, 500, TrainingNode.NAMESPACE)
          .steps(3)
          .phase(4, node.now)
          .writeOver(files[rank]);
    }
  }

  @Test
  void aRankThatLeavesAfterTheOthersHaveEndedIsNotOutlived() throws IOException {
    Path[] files = threeRanks();
    end(files, 0, 2);
    seconds(6);
    node.processes.remove(71L);
    seconds(40);
    assertThat(node.names()).isEmpty();
    assertThat(gone()).isEmpty();
  }

  @Test
  void aRankThatIsReadOnceAfterTheOthersHaveEndedIsNotOutlived() throws IOException {
    Path[] files = threeRanks();
    end(files, 0, 2);
    MadeSteps.rank(1).process(71, 500, TrainingNode.NAMESPACE).steps(4).writeOver(files[1]);
    node.later(Duration.ofSeconds(5)).poll();
    node.processes.remove(71L);
    node.later(Duration.ofSeconds(5)).poll();
    seconds(40);
    assertThat(node.names()).isEmpty();
    assertThat(gone()).isEmpty();
  }

  @Test
  void aLoopThatDoesNotSayWhenItEndedHasEndedWhenItIsNoticed() throws IOException {
    for (long said : new long[] {0, -1, Long.MAX_VALUE}) {
      Path[] files = threeRanks();
      node.processes.remove(71L);
      node.later(Duration.ofMillis(100));
      MadeSteps.rank(0)
          .process(70, 500, TrainingNode.NAMESPACE)
          .steps(3)
          .phase(4, node.now)
          .big(136, said)
          .writeOver(files[0]);
      Files.delete(files[2]);
      node.processes.remove(72L);
      seconds(15);
      assertThat(gone()).containsEntry("4711/1/pid 71", 1);
      node.processes.clear();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      seconds(700);
      assertThat(gone()).isEmpty();
    }
  }

  @Test
  void aJobThatIsEndedAsAWholeLeavesNoRankBehind() throws IOException {
    Path[] files = threeRanks();
    node.processes.clear();
    seconds(3);
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    seconds(40);
    assertThat(gone()).isEmpty();
  }

  /** In that phase, since now. */
  private void inPhase(Path[] files, int phase, int... ranks) throws IOException {
    for (int rank : ranks) {
      MadeSteps.rank(rank)
          .process(70 + rank, 500, TrainingNode.NAMESPACE)
          .steps(3)
          .phase(phase, node.now)
          .writeOver(files[rank]);
    }
  }

  @Test
  void aRankThatLeavesAfterItsLoopWhileAnotherOneSavesIsNotGone() throws IOException {
    Path[] files = threeRanks();
    inPhase(files, 6, 1, 2);
    inPhase(files, 3, 0);
    seconds(5);
    node.processes.remove(71L);
    seconds(5);
    node.processes.remove(72L);
    seconds(40);
    assertThat(node.names()).hasSize(1);
    assertThat(gone()).isEmpty();
    inPhase(files, 4, 0);
    seconds(40);
    assertThat(gone()).isEmpty();
  }

  @Test
  void aRankThatIsKilledBetweenTwoLoopsIsOutlivedByThoseThatTrainOn() throws IOException {
    Path[] files = threeRanks();
    inPhase(files, 6, 0, 1, 2);
    seconds(5);
    node.processes.remove(71L);
    inPhase(files, 1, 0, 2);
    seconds(15);
    assertThat(gone()).isEqualTo(Map.of("4711/1/pid 71", 2));
  }

  @Test
  void aRestartOfTheJobEndsTheMemory() throws IOException {
    threeRanks();
    node.processes.remove(71L);
    seconds(15);
    assertThat(gone()).hasSize(1);
    Path file =
        put(
            MadeSteps.rank(1)
                .process(81, 900, TrainingNode.NAMESPACE)
                .created(MadeSteps.BEGAN.plusSeconds(60)),
            "new.steps");
    node.process(81, 900, user(file));
    seconds(2);
    assertThat(gone()).isEmpty();
  }

  @Test
  void aFileThatIsRemovedUnderARunningRankIsNoDeath() throws IOException {
    Path[] files = threeRanks();
    Files.delete(files[1]);
    seconds(20);
    assertThat(node.names()).hasSize(2);
    assertThat(gone()).isEmpty();
    Files.delete(files[2]);
    node.processes.remove(72L);
    seconds(20);
    assertThat(gone()).isEqualTo(Map.of("4711/2/pid 72", 1));
  }

  @Test
  void loopsWithoutALauncherAreToldApartByTheirGpu() throws IOException {
    for (int gpu = 0; gpu < 4; gpu++) {
      put(MadeSteps.rank(-1).integer(56, 0).integer(60, gpu), "g" + gpu + ".steps");
      put(MadeSteps.rank(0).job("5").integer(56, 1).integer(60, gpu), "t" + gpu + ".steps");
    }
    node.poll();
    assertThat(node.names()).hasSize(8);
    assertThat(node.sources.values().stream().map(one -> one.part().orElseThrow().labels()))
        .doesNotHaveDuplicates();
    MadeSteps newer = MadeSteps.rank(-1).integer(56, 0).created(MadeSteps.BEGAN.plusSeconds(1));
    put(newer.integer(60, 3), "again.steps");
    assertThat(node.poll().names()).hasSize(8);
    assertThat(node.rejected()).isEqualTo(Map.of("duplicate", 1));
    put(newer.integer(60, -1), "unknown.steps");
    assertThat(node.poll().names()).as("may be any of them").hasSize(8);
  }

  @Test
  void loopsWithoutALauncherAreToldApartByTheirMigInstance() throws IOException {
    for (int instance = 5; instance <= 7; instance++) {
      Path file = put(rankOf(instance), "m" + instance + ".steps");
      node.process(instance, 500, user(file));
      OptionalInt known = instance == 7 ? OptionalInt.empty() : OptionalInt.of(instance);
      node.gpus.put(
          "pid " + instance, new TrainingGpus.RankGpu(0, "GPU-0", known, OptionalDouble.of(0.5)));
    }
    node.poll().poll();
    assertThat(node.rejected()).as("7 may be on the instance of another").hasSize(1);
    node.gpus.put(
        "pid 7", new TrainingGpus.RankGpu(0, "GPU-0", OptionalInt.of(7), OptionalDouble.of(0.5)));
    node.poll(70).poll();
    assertThat(node.sources.values().stream().map(one -> one.part().orElseThrow().labels()))
        .extracting(labels -> labels.values().get(4))
        .containsExactlyInAnyOrder("0/5", "0/6", "0/7");
  }

  private static MadeSteps rankOf(int pid) {
    return MadeSteps.rank(-1).integer(56, 0).process(pid, 500, TrainingNode.NAMESPACE);
  }

  @Test
  void aReusedPidIsNotTheWriter() throws IOException {
    Path file = put(MadeSteps.rank(0).process(77, 500, TrainingNode.NAMESPACE), "a.steps");
    node.process(77, 501, user(file)).poll();
    assertThat(node.names()).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("process_gone", 1));
  }

  @Test
  void aProcessThatIsNotVisibleLivesWhileItHasTheLock() throws IOException {
    put(MadeSteps.rank(0).process(77, 500, 12345).steps(3), "a.steps");
    node.poll(65);
    assertThat(node.names()).as("a namespace that nobody has confirmed").isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("process_gone", 1));
    node.holders.put("a.steps", OptionalLong.empty());
    node.poll(65).later(Duration.ofDays(3)).poll(2);
    assertThat(node.rank().value(TrainingMetrics.VERIFIED)).hasValue(0);
    node.holders.clear();
    assertThat(node.poll(2).names()).isEmpty();
  }

  @Test
  void aLockOfAnotherProcessIsDetected() throws IOException, InterruptedException {
    Path file = put(MadeSteps.rank(0).integer(28, 2), "a.steps");
    Process python;
    try {
      python =
          new ProcessBuilder(
                  "python3",
                  "-c",
                  "import fcntl,sys;f=open(sys.argv[1],'r+b');"
                      + "fcntl.lockf(f,fcntl.LOCK_EX|fcntl.LOCK_NB,1,0);"
                      + "print('held',flush=True);sys.stdin.read()",
                  file.toString())
              .start();
    } catch (IOException none) {
      assumeTrue(false, "no python3 here");
      return;
    }
    node.real = true;
    try (var reported = python.inputReader(StandardCharsets.UTF_8)) {
      assertThat(reported.readLine()).isEqualTo("held");
      node.later(Duration.ofDays(1)).poll(3);
      assertThat(node.names()).hasSize(1);
      python.outputWriter(StandardCharsets.UTF_8).close();
      python.waitFor();
    }
    node.poll(2);
    assertThat(node.names()).isEmpty();
  }

  @Test
  void withoutVisibleProcessesTheLockDecides() throws IOException {
    put(MadeSteps.rank(0).process(77, 500, 4).integer(28, 2), "a.steps");
    node.namespace = OptionalLong.empty();
    node.poll();
    assertThat(node.names()).as("the lock is free").isEmpty();
  }

  @Test
  void theNewerFileOfARankWins() throws IOException {
    put(MadeSteps.rank(0).steps(5), "a.steps");
    node.poll();
    put(MadeSteps.rank(0).created(MadeSteps.BEGAN.plusSeconds(1)).step(), "b.steps");
    put(MadeSteps.rank(0).created(MadeSteps.BEGAN.minusSeconds(1)).step(), "c.steps");
    assertThat(node.poll().rank().value(TrainingMetrics.STEPS)).hasValue(1);
    assertThat(node.poll(70).rejected()).isEqualTo(Map.of("duplicate", 2));
  }

  @Test
  void anotherRunOfTheSameRankIsASeparatePart() throws IOException {
    put(MadeSteps.rank(0), "a.steps");
    node.poll();
    put(MadeSteps.rank(0).run("second try"), "b.steps");
    node.poll();
    assertThat(node.sources.values())
        .extracting(one -> one.part().orElseThrow().name())
        .containsExactlyInAnyOrder("4711/0", "4711/0/second try");
  }

  @Test
  void namesAreSafeAndUnique() throws IOException {
    put(MadeSteps.rank(0).job("a/b c\n"), "a.steps");
    put(MadeSteps.rank(0).job("a b/c"), "b.steps");
    put(MadeSteps.rank(0).job(""), "c.steps");
    put(MadeSteps.rank(2).job("x-1"), "d.steps");
    put(MadeSteps.rank(1).job("x"), "e.steps");
    put(MadeSteps.rank(1).job("x").run("2"), "f.steps");
    node.poll();
    assertThat(node.names()).hasSize(6).allMatch(name -> name.matches("training-[A-Za-z0-9_.-]+"));
    assertThat(node.sources.values())
        .extracting(one -> one.part().orElseThrow().name())
        .doesNotHaveDuplicates()
        .contains("-/0");
  }

  /** Rules and alerts find the series of a finding by the job in its subject. */
  @Test
  void aPartHasTheJobOfItsLabels() throws IOException {
    int file = 0;
    for (String job : List.of("llama-7b-x", "llama_7b_x", "exp/lr:1", "exp lr@1")) {
      put(MadeSteps.rank(3).job(job), file++ + ".steps");
    }
    node.poll();
    assertThat(node.sources.values())
        .extracting(one -> one.part().orElseThrow())
        .allMatch(part -> part.name().equals(part.labels().values().get(0) + "/3"))
        .extracting(Part::name)
        .containsExactlyInAnyOrder("llama-7b-x/3", "llama_7b_x/3", "exp_lr:1/3", "exp lr@1/3");
  }

  @Test
  void aRankThatIsKilledIsNotOutlivedByAnotherRunOfItsJob() throws IOException {
    threeRanks();
    Path other =
        put(
            MadeSteps.rank(5).run("other").process(75, 500, TrainingNode.NAMESPACE).steps(3),
            "other.steps");
    node.process(75, 500, user(other)).poll(3);
    node.processes.remove(71L);
    seconds(15);
    assertThat(gone()).isEqualTo(Map.of("4711/1/pid 71", 2));
  }

  @Test
  void untrustedLabelsAreCleanedAndBounded() throws IOException {
    put(
        MadeSteps.rank(0)
            .bytes(256, "4\n7\"1\u20281\u001b[31m".getBytes(StandardCharsets.UTF_8))
            .bytes(384, "\u00ff".repeat(128).getBytes(StandardCharsets.ISO_8859_1))
            .text(624, 32, "q".repeat(500)),
        "a.steps");
    node.poll();
    String line = node.rank().lines().get(0);
    assertThat(line).contains("job_id=\"47_11[31m\"").contains("q".repeat(32));
    assertThat(line).doesNotContain("\n", "\u2028", "\u001b", "q".repeat(33));
    assertThat(line.length()).isLessThan(700);
  }

  @Test
  void namesOfOtherFilesAreNotCounted() throws IOException {
    for (int i = 0; i < UserFolder.MAX_NAMES + 1; i++) {
      Files.createFile(folder.resolve("k" + i));
    }
    put(MadeSteps.rank(0), "good.steps");
    assertThat(node.poll(2).names()).containsExactly("training-4711-0");
    assertThat(node.rejected()).isEmpty();
  }

  /** Whatever the order of the list: names sort before and after those of the ranks. */
  @Test
  void aListThatIsCutDropsNoRunningRank() throws IOException {
    for (int rank = 0; rank < 8; rank++) {
      put(MadeSteps.rank(rank), "m" + rank + ".steps");
    }
    node.poll();
    for (int i = 0; i < UserFolder.MAX_NAMES + 100; i++) {
      Files.createFile(folder.resolve((i % 2 == 0 ? "a" : "z") + i + ".steps"));
    }
    assertThat(new UserFolder(folder, TrainingSource.SUFFIX).names().all()).isFalse();
    assertThat(new UserFolder(folder, TrainingSource.SUFFIX).names().files())
        .hasSize(UserFolder.MAX_NAMES);
    assertThat(node.poll(25).names()).hasSize(8);
    Files.delete(folder.resolve("m3.steps"));
    assertThat(node.poll(25).names()).hasSize(7).doesNotContain("training-4711-3");
  }

  @Test
  void namesLongerThanAnyWritersAreNotRead() throws IOException {
    put(MadeSteps.rank(0), "x".repeat(200) + ".steps");
    assertThat(node.poll(2).names()).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("bad_name", 1));
  }

  @Test
  void tenThousandGarbageFilesDoNotHideValidOnes() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      Files.createFile(folder.resolve(i + ".steps"));
    }
    node.poll(12);
    put(MadeSteps.rank(0), "good.steps");
    node.poll(10);
    assertThat(node.names()).containsExactly("training-4711-0");
    assertThat(node.rejected()).isEqualTo(Map.of("bad_size", 10_000));
  }

  /** Files come and go faster than they are opened, and lists begin with the newest. */
  @Test
  void filesThatComeAndGoHideNoNewRank() throws IOException {
    node.poll();
    churn(0);
    put(MadeSteps.rank(0), "good.steps");
    for (int second = 1; second <= 4; second++) {
      churn(second);
      node.poll();
    }
    assertThat(node.names()).containsExactly("training-4711-0");
    assertThat(node.rejected().get("bad_size")).isGreaterThanOrEqualTo(4000);
    assertThat(node.warnings).singleElement().asString().contains("uid");

    TrainingNode restarted = new TrainingNode(folder);
    assertThat(restarted.poll().names()).containsExactly("training-4711-0");
  }

  /** Replaces 4000 empty files by others. */
  private void churn(int second) throws IOException {
    for (int i = 0; i < 4000; i++) {
      Files.deleteIfExists(folder.resolve("c" + (second - 1) + "-" + i + ".steps"));
      Files.createFile(folder.resolve("c" + second + "-" + i + ".steps"));
    }
  }

  @Test
  void filesOfAStepFilesSizeThatWaitAreCountedAndOpenedLater() throws IOException {
    for (int i = 0; i < 600; i++) {
      Files.write(folder.resolve(i + ".steps"), new byte[1024 + 2 * 192]);
    }
    node.poll();
    assertThat(node.rejected()).isEqualTo(Map.of("bad_magic", 512, "too_many", 1));
    node.poll(2);
    assertThat(node.rejected()).isEqualTo(Map.of("bad_magic", 600, "too_many", 1));
    assertThat(node.warnings).hasSize(1);
  }

  @Test
  void processesComeFromProcfs() {
    ProcTrainingProcesses here = new ProcTrainingProcesses(new ProcFs(Path.of("/proc")), folder);
    long pid = ProcessHandle.current().pid();
    assertThat(here.find(pid).orElseThrow().started()).isPresent();
    assertThat(here.find(pid).orElseThrow().user()).isPresent();
    assertThat(here.find((1 << 22) - 1)).isEmpty();
    assertThat(here.namespace()).isPresent();
    ProcTrainingProcesses nowhere = new ProcTrainingProcesses(new ProcFs(folder), folder);
    assertThat(nowhere.namespace()).isEmpty();
    assertThat(List.of(nowhere.find(1), nowhere.find(pid))).allMatch(java.util.Optional::isEmpty);
  }
}
