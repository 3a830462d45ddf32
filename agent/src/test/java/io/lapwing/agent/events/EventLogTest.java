package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.events.Durability.NotDurable;
import io.lapwing.agent.events.Durability.Reason;
import io.lapwing.agent.sources.VirtualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {
  /** The file is opened and forced, then its name. */
  private static final int STEPS_OF_OPEN = 3;

  private final VirtualClock clock = new VirtualClock();

  private HistoryLog open(Path dir) {
    return HistoryLog.open(dir, ScratchDirectory.WIDE, clock);
  }

  private OpenResult read(Path dir) {
    return HistoryLog.read(dir, ScratchDirectory.WIDE, clock);
  }

  private List<Event> replayed(Path dir) {
    OpenResult opened = read(dir);
    assertThat(opened.problems()).isEmpty();
    return opened.events();
  }

  @Test
  void everyKindOfEventSurvivesTheProcessInOrder(@TempDir Path dir) {
    try (HistoryLog log = open(dir)) {
      assertThat(log.append(SampleEvents.all())).isInstanceOf(Durable.class);
    }

    assertThat(replayed(dir)).isEqualTo(SampleEvents.all());
  }

  @Test
  void eventsStayInTheOrderOfTheirLinesWhenTheClockJumps(@TempDir Path dir) {
    List<Event> jumping =
        List.of(
            new Event.GpuReturned(Instant.MAX, "GPU-1"),
            new Event.GpuReturned(Instant.MIN, "GPU-1"),
            new Event.GpuReturned(Instant.EPOCH, "GPU-1"));
    try (HistoryLog log = open(dir)) {
      jumping.forEach(event -> log.append(List.of(event)));
    }

    assertThat(replayed(dir)).isEqualTo(jumping);
  }

  @Test
  void differentEventsOfOneMomentAllStay(@TempDir Path dir) {
    List<Event> atOnce =
        Stream.of("GPU-1", "GPU-2", "GPU-3")
            .map(gpu -> (Event) new Event.GpuReturned(Instant.EPOCH, gpu))
            .toList();
    try (HistoryLog log = open(dir)) {
      log.append(atOnce);
      log.append(atOnce);
    }

    assertThat(replayed(dir)).isEqualTo(atOnce);
  }

  @Test
  void aDirectoryAndItsFilesAreReadByTheGroupOnly(@TempDir Path parent) throws IOException {
    Path dir = parent.resolve("state");
    try (HistoryLog log = open(dir)) {
      log.append(SampleEvents.all());
    }

    assertNoMoreThan("rwxr-x---", dir);
    assertNoMoreThan("rw-r-----", dir.resolve("events.jsonl"));
    assertNoMoreThan("rw-r-----", dir.resolve("lock"));
  }

  /** The umask may take more away. */
  private static void assertNoMoreThan(String mode, Path path) throws IOException {
    assertThat(PosixFilePermissions.fromString(mode))
        .containsAll(Files.getPosixFilePermissions(path));
    assertThat(Files.getPosixFilePermissions(path)).contains(PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void withoutADirectoryEventsAreBufferedUntilItExists(@TempDir Path parent) throws IOException {
    Path dir = parent.resolve("missing").resolve("state");
    HistoryLog log = open(dir);
    Instant since = clock.instant();
    clock.advance(Duration.ofMinutes(5));

    assertThat(log.append(NumberedEvents.range(0, 3)))
        .isEqualTo(new NotDurable(Reason.MISSING, since, dir, "No such file or directory"));
    assertThat(log.log().waiting()).isEqualTo(3);
    Files.createDirectory(parent.resolve("missing"));
    assertThat(log.append(NumberedEvents.range(3, 4))).isInstanceOf(Durable.class);
    assertThat(log.log().waiting()).isZero();
    log.close();

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 4));
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsReported(@TempDir Path parent) throws IOException {
    Path dir = Files.createFile(parent.resolve("state"));

    try (HistoryLog log = open(dir)) {
      assertThat(log.log().durability())
          .isInstanceOfSatisfying(
              NotDurable.class, state -> assertThat(state.reason()).isEqualTo(Reason.MISSING));
    }
  }

  @Test
  void aSnapshotHasTheEventsThatCouldNotBeReadAtTheStart(@TempDir Path parent) throws IOException {
    try (HistoryLog before = open(parent.resolve("before"))) {
      before.append(NumberedEvents.range(0, 3));
    }
    Path dir = Files.createFile(parent.resolve("state"));
    HistoryLog log = open(dir);
    Files.delete(dir);
    Files.move(parent.resolve("before"), dir);
    log.log().requireSnapshot();

    assertThat(log.append(NumberedEvents.range(3, 4))).isInstanceOf(Durable.class);
    log.close();

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 4));
  }

  @Test
  void aSnapshotHasTheEventsThatTheAgentBeforeWroteMeanwhile(@TempDir Path dir) {
    HistoryLog first = open(dir);
    first.append(NumberedEvents.range(0, 3));
    HistoryLog second = open(dir);
    first.append(NumberedEvents.range(3, 5));
    first.close();
    second.log().requireSnapshot();

    assertThat(second.append(NumberedEvents.range(5, 6))).isInstanceOf(Durable.class);
    second.close();

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 6));
  }

  @Test
  void whatTwoAgentsDetectedIsInTheLogOnceAndWhatOneMissedIsReturned(@TempDir Path dir) {
    Instant at = Instant.parse("2026-03-01T10:00:00Z");
    Event clear = new Event.OperatorCleared(at.plusSeconds(60), "xid_79", "gpu:GPU-1", "");
    Event later = new Event.GpuReturned(at.plusSeconds(90), "GPU-1");
    HistoryLog first = open(dir);
    HistoryLog second = open(dir);
    first.append(List.of(new Event.GpuReturned(at, "GPU-1"), clear));
    second.append(List.of(new Event.GpuReturned(at.plusSeconds(3), "GPU-1"), later));
    first.close();

    assertThat(second.retry()).isInstanceOf(Durable.class);
    assertThat(second.restoreMissed()).containsExactly(clear);
    assertThat(second.restoreMissed()).isEmpty();
    List<Event> all = List.of(new Event.GpuReturned(at.plusSeconds(3), "GPU-1"), clear, later);
    assertThat(second.events()).isEqualTo(all);
    second.close();
    assertThat(replayed(dir)).isEqualTo(all);
  }

  @Test
  void aFileThatCannotBeReadIsReportedAndTheOthersAreRead(@TempDir Path dir) throws IOException {
    Files.createDirectory(dir.resolve("events-000001.jsonl"));
    Files.write(dir.resolve("events-000002.jsonl"), EventJson.lines(NumberedEvents.range(0, 2)));

    OpenResult opened = read(dir);

    assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, 2));
    assertThat(opened.problems())
        .singleElement()
        .hasToString(dir.resolve("events-000001.jsonl") + ": not a regular file; passed over");
  }

  @Test
  void linesOfANewerAgentAreCountedAndStay(@TempDir Path dir) throws IOException {
    String newer = "{\"kind\":\"fan_died\",\"at\":\"2026-11-20T11:20:00Z\"}\n";
    Files.writeString(dir.resolve("events.jsonl"), newer + newer);

    HistoryLog log = open(dir);
    OpenResult opened = log.opened();
    log.append(NumberedEvents.range(0, 1));
    log.close();

    assertThat(opened.unknownKinds()).isEqualTo(2);
    assertThat(opened.problems()).isEmpty();
    assertThat(Files.readString(dir.resolve("events.jsonl"))).startsWith(newer + newer + "{");
  }

  @Test
  void aSecondAgentReadsRepairsNothingAndTakesOverWhenTheFirstEnds(@TempDir Path dir)
      throws IOException {
    HistoryLog first = open(dir);
    first.append(NumberedEvents.range(0, 3));
    byte[] torn = "{\"kind\":\"gpu_re".getBytes(StandardCharsets.US_ASCII);
    Files.write(dir.resolve("events.jsonl"), torn, StandardOpenOption.APPEND);

    HistoryLog second = open(dir);
    assertThat(second.opened().events()).isEqualTo(NumberedEvents.range(0, 3));
    assertThat(Files.readString(dir.resolve("events.jsonl"))).endsWith("gpu_re");
    assertThat(second.append(NumberedEvents.range(3, 5)))
        .isEqualTo(
            new NotDurable(
                Reason.LOCKED, clock.instant(), dir.resolve("lock"), "locked by another agent"));

    first.close();
    assertThat(second.retry()).isInstanceOf(Durable.class);
    second.close();
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 5));
  }

  @Test
  void aDirectoryThatIsDeletedUnderTheLogIsCreatedAgain(@TempDir Path parent) throws IOException {
    Path dir = parent.resolve("state");
    HistoryLog log = open(dir);
    log.append(NumberedEvents.range(0, 2));
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }

    assertThat(log.append(NumberedEvents.range(2, 4))).isInstanceOf(Durable.class);
    log.close();
    assertThat(replayed(dir)).as("with what was in memory").isEqualTo(NumberedEvents.range(0, 4));
  }

  @Test
  void theHistoryOfADirectoryThatIsMountedOverAnotherIsAdded(@TempDir Path parent)
      throws IOException {
    Path dir = Files.createDirectory(parent.resolve("state"));
    Path other = Files.createDirectory(parent.resolve("other"));
    HistoryLog before = open(other);
    before.append(NumberedEvents.range(0, 2));
    before.close();
    HistoryLog log = open(dir);
    log.append(NumberedEvents.range(200_000, 200_001));
    Files.move(dir, parent.resolve("hidden"));
    Files.move(other, dir);

    assertThat(log.log().isReplaced()).isTrue();
    assertThat(log.retry()).isInstanceOf(Durable.class);
    assertThat(log.restoreMissed()).isEqualTo(NumberedEvents.range(0, 2));
    assertThat(log.log().isReplaced()).isFalse();
    log.close();
    assertThat(NumberedEvents.numbers(replayed(dir))).containsExactly(0, 1, 200_000);
  }

  private static void empty(Path dir) throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      for (Path path : all.toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void whatAnotherAgentRecordedInADirectoryThatWasEmptiedIsAdded(@TempDir Path dir)
      throws IOException {
    HistoryLog first = open(dir);
    first.append(NumberedEvents.range(0, 2));
    HistoryLog second = open(dir);
    empty(dir);
    assertThat(second.retry()).isInstanceOf(Durable.class);
    assertThat(first.retry()).isInstanceOf(NotDurable.class);
    Event clear = new Event.OperatorCleared(Instant.parse("2026-11-20T12:00:00Z"), "", "", "");
    second.append(List.of(clear));
    second.close();

    assertThat(first.retry()).isInstanceOf(Durable.class);
    assertThat(first.restoreMissed()).containsExactly(clear);
    first.close();
    assertThat(replayed(dir)).contains(clear).containsAll(NumberedEvents.range(0, 2));
  }

  @Test
  void whatIsDeletedWhileAnotherAgentHasTheDirectoryIsWrittenByTheOneThatTakesIt(@TempDir Path dir)
      throws IOException {
    HistoryLog first = open(dir);
    first.append(NumberedEvents.range(0, 2));
    HistoryLog second = open(dir);
    empty(dir);

    assertThat(second.retry()).isInstanceOf(Durable.class);
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 2));
    second.close();
    first.close();
  }

  @Test
  void aFileThatIsTruncatedIsWrittenAgain(@TempDir Path dir) throws IOException {
    HistoryLog log = open(dir);
    log.append(NumberedEvents.range(0, 3));
    Files.write(dir.resolve("events.jsonl"), new byte[0]);

    assertThat(log.append(NumberedEvents.range(3, 4))).isInstanceOf(Durable.class);
    assertThat(log.restoreMissed()).isEmpty();
    log.close();
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 4));
  }

  @Test
  void anInterruptedThreadWritesAndStaysInterrupted(@TempDir Path dir) {
    try (HistoryLog log = open(dir)) {
      Thread.currentThread().interrupt();
      assertThat(log.append(NumberedEvents.range(0, 2))).isInstanceOf(Durable.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(log.append(NumberedEvents.range(2, 4))).isInstanceOf(Durable.class);
    }

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 4));
  }

  @Test
  void atMostAThousandEventsAreBufferedAndDroppedOnesAreWrittenFromTheHistory(@TempDir Path dir) {
    FaultyStorage storage = new FaultyStorage(FaultyStorage.Fault.FULL, 0, Long.MAX_VALUE);
    HistoryLog log = HistoryLog.open(dir, ScratchDirectory.WIDE, clock, storage);

    log.append(NumberedEvents.range(0, 700));
    log.append(NumberedEvents.range(700, 1_500));
    assertThat(log.log().waiting()).isEqualTo(1_000);
    assertThat(log.log().dropped()).isEqualTo(500);
    storage.repair();
    assertThat(log.retry()).isInstanceOf(Durable.class);
    log.close();

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 1_500));
  }

  @Test
  void eventsThatWereDroppedAreNotDurableUntilTheSnapshotIsWritten(@TempDir Path dir)
      throws IOException {
    FaultyStorage storage =
        new FaultyStorage(FaultyStorage.Fault.FULL, STEPS_OF_OPEN, Long.MAX_VALUE);
    HistoryLog log = HistoryLog.open(dir, ScratchDirectory.WIDE, clock, storage);
    log.append(NumberedEvents.range(0, 1_500));
    Path blocked = Files.createDirectory(dir.resolve("events.jsonl.next"));
    Path inIt = Files.createFile(blocked.resolve("file"));
    storage.repair();

    assertThat(log.retry()).isInstanceOf(NotDurable.class);

    Files.delete(inIt);
    Files.delete(blocked);
    assertThat(log.retry()).isInstanceOf(Durable.class);
    log.close();
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 1_500));
  }

  @Test
  void aBatchIsNeverTooLargeForADiskThatWorks(@TempDir Path dir) {
    try (HistoryLog log = open(dir)) {
      assertThat(log.append(NumberedEvents.range(0, 5_000))).isInstanceOf(Durable.class);
      assertThat(log.log().dropped()).isZero();
    }

    assertThat(replayed(dir)).hasSize(5_000);
  }

  @Test
  void aClosedLogReportsThatItIsClosed(@TempDir Path dir) {
    HistoryLog log = open(dir);
    log.close();

    assertThat(log.append(NumberedEvents.range(0, 1)))
        .isInstanceOfSatisfying(
            NotDurable.class, state -> assertThat(state.why()).isEqualTo("the log is closed"));
    assertThat(replayed(dir)).isEmpty();
  }

  @Test
  void withoutPermissionTheLogIsReadAndEventsAreBuffered(@TempDir Path dir) throws IOException {
    try (HistoryLog log = open(dir)) {
      log.append(NumberedEvents.range(0, 2));
    }
    Files.setPosixFilePermissions(
        dir.resolve("lock"), PosixFilePermissions.fromString("r--r--r--"));
    assumeThat(Files.isWritable(dir.resolve("lock"))).as("root may write anyway").isFalse();

    try (HistoryLog log = open(dir)) {
      assertThat(log.log().durability())
          .isInstanceOfSatisfying(
              NotDurable.class,
              state -> assertThat(state.reason()).isEqualTo(Reason.NO_PERMISSION));
    }
    assertThat(read(dir).events()).isEqualTo(NumberedEvents.range(0, 2));
  }

  @Test
  void onlyTheNewestLinesAreReadIntoMemory(@TempDir Path dir) throws IOException {
    byte[] lines = EventJson.lines(NumberedEvents.range(0, 1_000));
    Files.write(dir.resolve("events.jsonl"), lines);
    Limits narrow = new Limits(64 << 20, ScratchDirectory.WIDE.maxAge(), 16 << 20, 10_000);

    OpenResult opened = HistoryLog.read(dir, narrow, clock);

    int kept = opened.events().size();
    assertThat(kept).isBetween(50, 200);
    assertThat(opened.events()).isEqualTo(NumberedEvents.range(1_000 - kept, 1_000));
  }
}
