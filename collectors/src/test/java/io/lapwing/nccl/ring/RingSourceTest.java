package io.lapwing.nccl.ring;

import static io.lapwing.nccl.ring.RingOperation.ALL_REDUCE;
import static io.lapwing.nccl.ring.RingOperation.BROADCAST;
import static io.lapwing.nccl.ring.RingOperation.REDUCE;
import static io.lapwing.nccl.ring.RingOperation.REDUCE_SCATTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.UserFile;
import io.lapwing.metric.MetricCatalogue;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingSourceTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final long NANOS = NOW.getEpochSecond() * 1_000_000_000L;
  private static final String FIRST = "{comm=\"ae94423cfbb2ef4a\",rank=\"%d\",gpu=\"3\"";

  private Path folder = Path.of("");
  private Instant now = NOW;

  /** Who has the lock of all files, and a user for those whose name starts with "other". */
  private Optional<RingProcesses.Writer> writer =
      Optional.of(new RingProcesses.Writer(1000, OptionalLong.of(77)));

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
            return path.getFileName().toString().startsWith("other")
                ? Optional.of(new Writer(1001, OptionalLong.empty()))
                : writer;
          }

          @Override
          public String state(long pid) {
            return BLOCKED;
          }
        },
        new RingSource.Gpus() {
          @Override
          public OptionalInt byPid(long pid) {
            return pid == 77 ? OptionalInt.of(3) : OptionalInt.empty();
          }

          @Override
          public OptionalInt byUuid(String uuid) {
            return OptionalInt.empty();
          }
        },
        () -> now);
  }

  private RecordedSink round() {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  private static String rejected(String why, int times) {
    return "lapwing_nccl_profiler_files_rejected_total{reason=\"" + why + "\"} " + times;
  }

  private static String of(String family, int rank, String value) {
    return "lapwing_nccl_profiler_" + family + FIRST.formatted(rank) + "} " + value;
  }

  private void write(RingImage image, String name) {
    image.write(folder.resolve(name));
  }

  @Test
  void totalsOfACommunicatorAreExposed() {
    RingImage image = RingImage.of(2);
    image.totals(
        ALL_REDUCE, 10, 4000, 10, NANOS, 9, 9, NANOS - 500_000_000, 8, 8, 1, 8, 2_000_000_000);
    write(image, "4711.2.77.a.nccl");

    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_processes 1",
            "lapwing_nccl_profiler_communicator_info"
                + FIRST.formatted(2)
                + ",comm_name=\"dp\",ranks=\"8\",nodes=\"1\",interface=\"6\",verified=\"1\"} 1",
            "lapwing_nccl_profiler_collectives_total"
                + FIRST.formatted(2)
                + ",operation=\"AllReduce\"} 10",
            "lapwing_nccl_profiler_bytes_total"
                + FIRST.formatted(2)
                + ",operation=\"AllReduce\"} 4000",
            of("timed_collectives_total", 2, "8"),
            of("collective_seconds_total", 2, "2"),
            of("in_flight_seconds", 2, "0.5"))
        .noneMatch(line -> line.contains("wait") || line.contains("behind"));
  }

  @Test
  void theRankWithTheShortestKernelCameLast() {
    long[] durations = {5_000_000, 4_000_000, 1_000_000, 5_000_000};
    for (int rank = 0; rank < 4; rank++) {
      RingImage image = RingImage.of(rank).totals(ALL_REDUCE, 3);
      for (int sequence = 0; sequence < 3; sequence++) {
        image.record(ALL_REDUCE, sequence, durations[rank]);
      }
      image.totals(REDUCE_SCATTER, 1).record(REDUCE_SCATTER, 0, 1_000_000);
      write(image, "4711." + rank + ".77.a.nccl");
    }

    List<String> lines = round().lines();
    assertThat(lines)
        .contains(
            of("compared_collectives_total", 0, "4"),
            of("wait_seconds_total", 0, "0.012"),
            of("late_seconds_total", 0, "0"),
            of("wait_seconds_total", 1, "0.009"),
            of("late_seconds_total", 1, "0.003"),
            of("wait_seconds_total", 2, "0"),
            of("late_seconds_total", 2, "0.012"));
    assertThat(round().lines()).as("nothing is compared twice").isEqualTo(lines);
  }

  @Test
  void collectivesAreComparedOnceAllRanksHaveEndedThem() {
    RingImage ahead = RingImage.of(0).totals(ALL_REDUCE, 3).record(ALL_REDUCE, 0, 500);
    RingImage behind = RingImage.of(1).totals(ALL_REDUCE, 3).record(ALL_REDUCE, 0, 100);
    write(ahead.record(ALL_REDUCE, 1, 500).record(ALL_REDUCE, 2, 500), "a.nccl");
    write(behind, "b.nccl");
    assertThat(round().lines()).contains(of("compared_collectives_total", 1, "1"));
    write(behind.record(ALL_REDUCE, 1, 100).record(ALL_REDUCE, 2, 100), "b.nccl");
    assertThat(round().lines())
        .contains(
            of("compared_collectives_total", 0, "3"), of("compared_collectives_total", 1, "3"));
  }

  @Test
  void operationsWithARootAreNotCompared() {
    for (int rank = 0; rank < 2; rank++) {
      long duration = rank == 0 ? 100 : 20_000_000;
      RingImage image = RingImage.of(rank).totals(BROADCAST, 1).record(BROADCAST, 0, duration);
      write(image.totals(REDUCE, 1).record(REDUCE, 0, duration), rank + ".nccl");
    }
    assertThat(round().lines())
        .contains(of("compared_collectives_total", 0, "0"), of("late_seconds_total", 0, "0"));
  }

  @Test
  void aFullRingIsReadFromItsOldestRecord() {
    for (int rank = 0; rank < 2; rank++) {
      RingImage image = RingImage.of(rank).totals(ALL_REDUCE, 21);
      for (int sequence = 0; sequence < 21; sequence++) {
        image.record(ALL_REDUCE, sequence, 100);
      }
      write(image, rank + ".nccl");
    }
    assertThat(round().lines()).contains(of("compared_collectives_total", 0, "8"));
  }

  @Test
  void aNumberThatARankRepeatsIsNotCompared() {
    write(
        RingImage.of(0).totals(ALL_REDUCE, 3).record(ALL_REDUCE, 0, 9).record(ALL_REDUCE, 0, 8),
        "a.nccl");
    write(RingImage.of(1).totals(ALL_REDUCE, 3).record(ALL_REDUCE, 0, 9), "b.nccl");
    assertThat(round().lines()).contains(of("compared_collectives_total", 1, "0"));
  }

  @Test
  void aRankThatTakesNoPartIsBehind() {
    long since = NANOS - 30_000_000_000L;
    write(RingImage.of(0).totals(ALL_REDUCE, 7, 0, 7, since, 7, 7, since, 6, 6), "a.nccl");
    write(RingImage.of(1).totals(ALL_REDUCE, 6, 0, 6, since, 6, 6, since, 6, 6), "b.nccl");
    write(RingImage.of(2).totals(ALL_REDUCE, 7, 0, 7, since, 6, 6, since, 6, 6), "c.nccl");

    assertThat(round().lines())
        .contains(
            of("behind_seconds", 0, "0"),
            of("in_flight_seconds", 0, "30"),
            of("behind_seconds", 1, "30"),
            of("behind_seconds", 2, "30"),
            "lapwing_nccl_profiler_behind_sequence"
                + FIRST.formatted(1)
                + ",operation=\"AllReduce\",state=\"not_entered\"} 6",
            "lapwing_nccl_profiler_behind_sequence"
                + FIRST.formatted(2)
                + ",operation=\"AllReduce\",state=\"not_started\"} 6");
  }

  @Test
  void everyFamilyIsExposed() {
    long since = NANOS - 30_000_000_000L;
    write(RingImage.of(0).totals(ALL_REDUCE, 7, 0, 7, since, 7, 7, since, 6, 6), "a.nccl");
    write(RingImage.of(1).totals(ALL_REDUCE, 6, 0, 6, since, 6, 6, since, 6, 6), "b.nccl");
    RingImage ending = RingImage.of(2).totals(ALL_REDUCE, 6, 0, 6, since, 6, 6, since, 6, 6);
    write(ending, "c.nccl");
    round();
    ending.bytes.putLong(RingLayout.AT_ENDED, 1);
    write(ending, "c.nccl");
    assertThat(round().samples())
        .extracting(RecordedSink.Sample::metric)
        .containsOnlyOnceElementsOf(List.of(RingMetrics.PROCESSES, RingMetrics.LOST))
        .containsAll(MetricCatalogue.of(RingMetrics.class).metrics());
  }

  @Test
  void aProcessThatTheKernelConfirmsIsKnownToRules() {
    RingImage image = RingImage.of(1).job("llm", 9);
    write(image, "a.nccl");
    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_rank_process"
                + FIRST.formatted(1)
                + ",pid=\"77\",owner=\"1000\",job_id=\"llm\",job_rank=\"9\",used_gpu=\"3\"} 1");
    write(RingImage.of(2).job("4711_3", 9), "b.nccl");
    assertThat(round().lines())
        .as("an id that its cgroup does not have")
        .anyMatch(line -> line.contains("pid=\"77\",owner=\"1000\",job_id=\"\""));
    write(RingImage.of(3), "other.nccl");
    assertThat(round().lines()).noneMatch(line -> line.contains("owner=\"1001\""));
  }

  @Test
  void aRankWhoseProcessIsGoneIsBehindWhileOthersWait() {
    long since = NANOS - 30_000_000_000L;
    RingImage gone = RingImage.of(1).totals(ALL_REDUCE, 6, 0, 6, since, 6, 6, since, 6, 6);
    write(RingImage.of(0).totals(ALL_REDUCE, 7, 0, 7, since, 7, 7, since, 6, 6), "a.nccl");
    write(gone, "b.nccl");
    round();
    gone.bytes.putLong(RingLayout.AT_ENDED, 1);
    write(gone, "b.nccl");
    String behind =
        "lapwing_nccl_profiler_behind_sequence"
            + FIRST.formatted(1)
            + ",operation=\"AllReduce\",state=\"gone\"} 6";
    assertThat(round().lines()).contains(behind, of("behind_seconds", 1, "30"));
    assertThat(round().lines()).as("while the other is there").contains(behind);
    write(RingImage.of(1), "c.nccl");
    assertThat(round().lines()).as("it is back").doesNotContain(behind);
  }

  @Test
  void ofTwoThatClaimOneRankTheOneThatIsConfirmedIsExposed() {
    RingImage claim = RingImage.of(0).totals(ALL_REDUCE, 5);
    claim.bytes.putInt(RingLayout.AT_GPU_INDEX, 3);
    write(claim, "other.nccl");
    write(RingImage.of(0).totals(ALL_REDUCE, 7), "z.nccl");
    String entered =
        "lapwing_nccl_profiler_collectives_total"
            + FIRST.formatted(0)
            + ",operation=\"AllReduce\"} ";
    assertThat(round().lines()).contains(entered + 7).doesNotContain(entered + 5);
  }

  @Test
  void anotherUserIsNoRankOfTheCommunicator() {
    write(RingImage.of(0).totals(ALL_REDUCE, 1).record(ALL_REDUCE, 0, 9), "a.nccl");
    write(RingImage.of(1).totals(ALL_REDUCE, 1).record(ALL_REDUCE, 0, 1), "other.nccl");
    assertThat(round().lines()).noneMatch(line -> line.contains("compared"));
  }

  @Test
  void twoThatClaimOneRankAreNotCompared() {
    write(RingImage.of(0).totals(ALL_REDUCE, 1).record(ALL_REDUCE, 0, 9), "a.nccl");
    write(RingImage.of(0).totals(ALL_REDUCE, 1).record(ALL_REDUCE, 0, 1), "b.nccl");
    assertThat(round().lines()).noneMatch(line -> line.contains("compared"));
  }

  @Test
  void communicatorsOfOneRankAreNotExposed() {
    write(new RingImage().communicator(0, 5, 0, 1, "alone"), "a.nccl");
    assertThat(round().lines()).noneMatch(line -> line.contains("comm="));
  }

  @Test
  void aPlaceThatHasAnotherCommunicatorStartsAnew() {
    RingImage image = RingImage.of(0).totals(ALL_REDUCE, 10, 4000);
    write(image, "a.nccl");
    round();
    image.communicator(0, 0xb, 1, 2, "next").totals(ALL_REDUCE, 1, 8);
    write(image, "a.nccl");
    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_bytes_total{comm=\"000000000000000b\",rank=\"1\",gpu=\"3\",operation=\"AllReduce\"} 8");
  }

  @Test
  void impossibleTotalsAreNotExposed() {
    RingImage image = RingImage.of(0).totals(ALL_REDUCE, 1L << 53);
    write(image, "a.nccl");
    RecordedSink sink = round();
    assertThat(sink.lines()).noneMatch(line -> line.contains("comm="));
    image.totals(ALL_REDUCE, 5);
    write(image, "a.nccl");
    assertThat(round().lines()).anyMatch(line -> line.endsWith("operation=\"AllReduce\"} 5"));
    image.totals(ALL_REDUCE, 4);
    write(image, "a.nccl");
    assertThat(round().lines())
        .as("like a process that started again")
        .anyMatch(line -> line.endsWith("operation=\"AllReduce\"} 4"));
  }

  @Test
  void aFileIsReadUntilItsProcessIsGone() {
    write(RingImage.of(0), "a.nccl");
    assertThat(round().lines()).contains("lapwing_nccl_profiler_processes 1");
    writer = Optional.empty();
    assertThat(round().lines())
        .contains("lapwing_nccl_profiler_processes 0", rejected("process_gone", 1));
    assertThat(round().lines()).as("counted once").contains(rejected("process_gone", 1));
  }

  @Test
  void aFileThatItsProcessEndedIsNoFault() {
    RingImage image = RingImage.of(0);
    write(image, "a.nccl");
    round();
    image.bytes.putLong(RingLayout.AT_ENDED, 1);
    write(image, "a.nccl");
    round();
    assertThat(round().lines())
        .contains("lapwing_nccl_profiler_processes 0", rejected("process_gone", 0));
  }

  @Test
  void whatIsNoRingFileIsRejected() throws IOException {
    Files.writeString(folder.resolve("short.nccl"), "LAPWNCCL");
    Files.createDirectory(folder.resolve("folder.nccl"));
    Files.createSymbolicLink(folder.resolve("link.nccl"), Path.of("/dev/zero"));
    Files.createFile(folder.resolve("\u00e4.nccl"));
    Files.createFile(folder.resolve("x.steps"));
    RingImage version = RingImage.of(0);
    version.bytes.putInt(RingLayout.AT_VERSION, 2);
    write(version, "version.nccl");
    RingImage capacity = RingImage.of(0);
    capacity.bytes.putInt(RingLayout.AT_CAPACITY, Integer.MAX_VALUE);
    write(capacity, "capacity.nccl");
    RingImage places = RingImage.of(0);
    places.bytes.putInt(RingLayout.AT_COMMUNICATORS, 1);
    write(places, "places.nccl");
    RingImage unlocked = RingImage.of(0);
    unlocked.bytes.putInt(RingLayout.AT_FLAGS, 0);
    write(unlocked, "unlocked.nccl");
    try (RandomAccessFile sparse =
        new RandomAccessFile(folder.resolve("big.nccl").toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }

    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_processes 0",
            rejected("bad_size", 3),
            rejected("not_regular", 2),
            rejected("version", 1),
            rejected("bad_header", 2));
    assertThat(round().lines()).as("each is counted once").contains(rejected("bad_size", 3));
  }

  @Test
  void aFileThatShrinksOrChangesWhileItIsReadEnds() throws IOException {
    write(RingImage.of(0).record(ALL_REDUCE, 0, 1), "a.nccl");
    write(RingImage.of(1), "b.nccl");
    round();
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("a.nccl").toFile(), "rw")) {
      file.setLength(1024);
    }
    RingImage other = RingImage.of(1);
    other.bytes.putInt(RingLayout.AT_CAPACITY, 4);
    write(other, "b.nccl");
    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_processes 0", rejected("truncated", 1), rejected("replaced", 1));
  }

  @Test
  void oneUserCannotTakeAllPlaces() {
    for (int i = 0; i < RingBudget.MAX_PROCESSES; i++) {
      write(RingImage.of(i), "mine%d.nccl".formatted(i));
    }
    write(RingImage.of(0), "other.nccl");
    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_processes " + (RingBudget.MAX_OF_ACCOUNT + 1),
            rejected("too_many", RingBudget.MAX_PROCESSES - RingBudget.MAX_OF_ACCOUNT));
  }

  @Test
  void anyBytesAreRead() {
    Random random = new Random(4711);
    for (int i = 0; i < 2000; i++) {
      RingImage image = RingImage.of(1).totals(ALL_REDUCE, 3, 4, 5).record(ALL_REDUCE, 0, 3);
      int first = i % 2 == 0 ? RingLayout.AT_WRITTEN : RingLayout.HEADER;
      for (int j = 0; j < 64; j++) {
        int at = first + random.nextInt(image.bytes.capacity() - first);
        image.bytes.put(at, (byte) random.nextInt());
      }
      write(image, "a.nccl");
      write(RingImage.of(0).totals(ALL_REDUCE, 3, 4, 5).record(ALL_REDUCE, 0, 2), "b.nccl");
      assertThat(round().samples())
          .allMatch(sample -> Double.isFinite(sample.value()) && sample.value() >= 0);
    }
  }

  @Test
  void aNameIsMadeFitForALabel() {
    write(new RingImage().communicator(0, 9, 0, 2, "a\"b\\c\n\u202ed"), "a.nccl");
    assertThat(round().lines()).anyMatch(line -> line.contains("comm_name=\"a_b_cd\""));
  }

  @Test
  void aRecordingOfThePluginIsRead() throws IOException {
    Files.copy(
        Path.of("src/test/resources/io/lapwing/nccl/ring/plugin.nccl"), folder.resolve("a.nccl"));
    assertThat(round().lines())
        .contains(
            "lapwing_nccl_profiler_communicator_info"
                + FIRST.formatted(1)
                + ",comm_name=\"world\",ranks=\"2\",nodes=\"1\",interface=\"6\",verified=\"1\"} 1",
            "lapwing_nccl_profiler_collectives_total"
                + FIRST.formatted(1)
                + ",operation=\"AllGather\"} 12",
            of("timed_collectives_total", 1, "12"),
            of("collective_seconds_total", 1, "0.0012"));
  }

  @Test
  void aMissingFolderIsNoFault() {
    folder = folder.resolve("none");
    source = source();
    assertThat(source.begin(source.collectors())).isInstanceOf(Access.NothingHere.class);
  }
}
