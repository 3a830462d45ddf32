package io.lapwing.nccl.ring;

import static io.lapwing.nccl.ring.RingOperation.ALL_REDUCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.UserFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ring files of several users. A file's name has the uid and the pid of its process. */
class RingTrustTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final long SINCE = (NOW.getEpochSecond() - 30) * 1_000_000_000L;

  /** Processes from this pid on compute on a GPU, and from the other one on are in a job. */
  private static final int ON_GPU = 5000;

  private static final int IN_JOB = 4000;

  private Path folder = Path.of("");
  private boolean visible = true;
  private RingSource source = source();

  @BeforeEach
  void start(@TempDir Path empty) {
    folder = empty;
    source = source();
  }

  private RingSource source() {
    return new RingSource(
        folder,
        new RingProcesses() {
          @Override
          public Optional<Writer> writer(Path path, UserFile.Attributes file) {
            String[] name = path.getFileName().toString().replace("!", "").split("[-.]", 0);
            long uid = Long.parseLong(name[0]);
            long pid = Long.parseLong(name[1]);
            return Optional.of(
                visible && pid > 0
                    ? new Writer(uid, OptionalLong.of(pid), OptionalLong.of(10_000 - uid), true)
                    : new Writer(uid, OptionalLong.empty()));
          }

          @Override
          public Optional<String> job(long pid) {
            return pid >= IN_JOB && pid < ON_GPU ? Optional.of("4711") : Optional.empty();
          }

          @Override
          public String account(long uid) {
            return uid >= 100_000 ? "mallory" : Long.toString(uid);
          }
        },
        new RingSource.Gpus() {
          @Override
          public OptionalInt byPid(long pid) {
            return pid >= ON_GPU ? OptionalInt.of((int) pid - ON_GPU) : OptionalInt.empty();
          }

          @Override
          public OptionalInt byUuid(String uuid) {
            return OptionalInt.empty();
          }
        },
        () -> NOW);
  }

  private RecordedSink round() {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  private void write(RingImage image, String name) {
    image.write(folder.resolve(name + ".nccl"));
  }

  private static RingImage waiting(int rank) {
    return RingImage.of(rank).totals(ALL_REDUCE, 7, 0, 7, SINCE, 7, 7, SINCE, 6, 6);
  }

  private static RingImage behind(int rank) {
    return RingImage.of(rank).totals(ALL_REDUCE, 6, 0, 6, SINCE, 6, 6, SINCE, 6, 6);
  }

  private static RingImage ahead(int rank) {
    return RingImage.of(rank).totals(ALL_REDUCE, 9, 0, 9, SINCE, 9, 9, SINCE, 9, 9);
  }

  private static String rejected(String why, int times) {
    return "lapwing_nccl_profiler_files_rejected_total{reason=\"" + why + "\"} " + times;
  }

  private static boolean isBehind(RecordedSink sink, int rank) {
    return sink.lines().stream()
        .anyMatch(
            line ->
                line.startsWith("lapwing_nccl_profiler_behind_seconds")
                    && line.contains("rank=\"" + rank + "\"")
                    && line.endsWith(" 30"));
  }

  private static long series(RecordedSink sink, String hash) {
    return sink.lines().stream().filter(line -> line.contains("comm=\"" + hash)).count();
  }

  @Test
  void anotherUserDoesNotReplaceARankOfACommunicatorThatIsRead() {
    write(waiting(0), "1001-1");
    write(behind(1), "1001-2");
    assertThat(isBehind(round(), 1)).isTrue();
    write(ahead(1), "!9000-3");
    write(ahead(2), "!9000-4");
    RecordedSink sink = round();
    assertThat(isBehind(sink, 1)).as("a name that sorts first, an older process").isTrue();
    assertThat(sink.lines())
        .contains(rejected("duplicate", 2), "lapwing_nccl_profiler_communicators_omitted 2")
        .noneMatch(line -> line.contains("rank=\"2\""));
    assertThat(round().lines()).as("counted once").contains(rejected("duplicate", 2));
  }

  @Test
  void aProcessOfAJobIsBelievedBeforeOneThatWasReadEarlier() {
    write(ahead(0), "!9000-3");
    write(ahead(1), "!9000-4");
    round();
    write(waiting(0), "1001-5000");
    write(behind(1), "1001-5001");
    assertThat(isBehind(round(), 1)).as("on a GPU").isTrue();
  }

  @Test
  void whoComesToAGpuLaterDoesNotTakeACommunicatorOfAnotherOnOne() {
    write(waiting(0), "1001-5000");
    write(behind(1), "1001-5001");
    round();
    write(ahead(1), "9000-5002");
    assertThat(isBehind(round(), 1)).isTrue();
  }

  @Test
  void aRankOfTheSameUserDoesNotReplaceTheOneThatIsRead() {
    write(waiting(0), "1001-1");
    write(behind(1), "1001-2");
    round();
    write(ahead(1), "!1001-3");
    assertThat(isBehind(round(), 1)).isTrue();
  }

  @Test
  void aCommunicatorIsTheNextOnesOnceItsAccountHasItNoMore() {
    RingImage first = ahead(0);
    write(first, "1001-1");
    write(ahead(3), "9000-3");
    assertThat(round().lines()).noneMatch(line -> line.contains("rank=\"3\""));
    first.bytes.putLong(RingLayout.AT_ENDED, 1);
    write(first, "1001-1");
    round();
    assertThat(round().lines()).anyMatch(line -> line.contains("rank=\"3\""));
  }

  @Test
  void aFileWhoseLockIsHeldIsReadWhileItsProcessIsNotVisible() {
    write(waiting(0), "1001-1");
    write(behind(1), "1001-2");
    List<String> before = round().lines();
    visible = false;
    for (int i = 0; i < 30; i++) {
      assertThat(round().lines()).isEqualTo(before);
    }
  }

  @Test
  void aProcessThatBecomesVisibleIsKnownToRules() {
    visible = false;
    write(waiting(0), "1001-1");
    assertThat(round().lines()).noneMatch(line -> line.contains("owner="));
    visible = true;
    round();
    assertThat(round().lines()).anyMatch(line -> line.contains("owner=\"1001\""));
  }

  @Test
  void onlyAProcessOfAJobIsVerified() {
    write(RingImage.of(0), "1001-1");
    write(RingImage.of(1), "1001-4000");
    write(RingImage.of(2), "1001-5000");
    assertThat(round().lines())
        .filteredOn(line -> line.contains("verified="))
        .hasSize(3)
        .anyMatch(line -> line.contains("rank=\"0\"") && line.contains("verified=\"0\""))
        .anyMatch(line -> line.contains("rank=\"1\"") && line.contains("verified=\"1\""))
        .anyMatch(line -> line.contains("rank=\"2\"") && line.contains("verified=\"1\""));
  }

  @Test
  void anAccountCannotTakeAllPlacesByItsUids() {
    for (int i = 0; i < RingBudget.MAX_PROCESSES; i++) {
      write(RingImage.of(i), (100_000 + i) + "-" + (i + 1));
    }
    write(new RingImage().communicator(0, 0xb, 0, 2, "dp"), "1001-900");
    assertThat(round().lines())
        .contains("lapwing_nccl_profiler_processes " + (RingBudget.MAX_OF_ACCOUNT + 1))
        .anyMatch(line -> line.contains("owner=\"1001\""));
  }

  @Test
  void aProcessOfAJobTakesThePlaceOfAnother() {
    for (int user = 0; user < 5; user++) {
      for (int i = 0; i < RingBudget.MAX_OF_ACCOUNT; i++) {
        write(RingImage.of(i), (2000 + user) + "-" + (100 * user + i + 1));
      }
    }
    round();
    write(new RingImage().communicator(0, 0xb, 0, 2, "dp"), "1001-4000");
    write(new RingImage().communicator(0, 0xc, 0, 2, "dp"), "1002-900");
    assertThat(round().lines())
        .contains("lapwing_nccl_profiler_processes " + RingBudget.MAX_PROCESSES)
        .anyMatch(line -> line.contains("owner=\"1001\""))
        .noneMatch(line -> line.contains("owner=\"1002\""));
  }

  private static RingImage full(long hash) {
    RingImage image = new RingImage(RingProcess.MAX_MEMBERS);
    for (int place = 0; place < RingProcess.MAX_MEMBERS; place++) {
      image.communicator(place, hash + place, 0, 8, "dp");
      for (RingOperation operation : RingOperation.values()) {
        image.totalsAt(place, operation, 5, 5, 5, SINCE, 5, 5, SINCE, 5, 5, SINCE, 5, 5);
      }
    }
    return image;
  }

  @Test
  void theSeriesOfOneUserDoNotHideThoseOfAnother() {
    for (int user = 0; user < 2; user++) {
      for (int i = 0; i < RingBudget.MAX_OF_ACCOUNT; i++) {
        write(full((user + 1L) << 56 | (long) i << 8), (9000 + user) + "-" + (100 * user + i + 1));
      }
    }
    round();
    write(waiting(0), "10000-901");
    write(behind(1), "10000-902");
    write(new RingImage().communicator(0, 0xcL << 56, 0, 2, "dp"), "9002-5000");
    RecordedSink sink = round();
    assertThat(isBehind(sink, 1)).isTrue();
    assertThat(series(sink, "0c")).as("on a GPU").isPositive();
    assertThat(series(sink, "01")).isPositive().isCloseTo(series(sink, "02"), within(100L));
    assertThat(sink.samples().size()).isLessThan(RingRoom.MAX_SERIES + 400);
  }
}
