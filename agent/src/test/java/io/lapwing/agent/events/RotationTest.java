package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.events.Storage.DiskStorage;
import io.lapwing.agent.sources.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotationTest {

  private static final int FILE = 4_000;
  private static final Limits SMALL = new Limits(5 * FILE, Duration.ofDays(90), FILE, 1 << 20);

  private final VirtualClock clock = new VirtualClock();

  private HistoryLog open(Path dir) {
    return HistoryLog.compacted(dir, SMALL, clock, DiskStorage.INSTANCE);
  }

  private void append(Path dir, int from, int to) {
    try (HistoryLog log = open(dir)) {
      for (int i = from; i < to; i++) {
        assertThat(log.append(NumberedEvents.range(i, i + 1))).isInstanceOf(Durable.class);
      }
    }
  }

  private List<Event> replayed(Path dir) {
    OpenResult opened = HistoryLog.read(dir, SMALL, clock);
    assertThat(opened.problems()).isEmpty();
    return opened.events();
  }

  private static List<Path> files(Path dir) throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(file -> !file.endsWith("lock")).sorted().toList();
    }
  }

  private static long size(Path dir) throws IOException {
    long size = 0;
    for (Path file : files(dir)) {
      size += Files.size(file);
    }
    return size;
  }

  /** Bytes of a file's snapshot, and of its other lines. */
  private static Map<Boolean, Integer> bytes(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.collect(
          Collectors.partitioningBy(
              line -> line.endsWith(",\"carried\":true}"),
              Collectors.summingInt(line -> line.length() + 1)));
    }
  }

  @Test
  void filesTogetherNeverTakeMoreThanTheirBound(@TempDir Path dir) throws IOException {
    try (HistoryLog log = open(dir)) {
      for (int i = 0; i < 600; i++) {
        log.append(NumberedEvents.range(i, i + 1));
        assertThat(size(dir)).isLessThanOrEqualTo(SMALL.maxBytes());
      }
    }
    assertThat(size(dir)).isGreaterThan(SMALL.maxBytes() / 2);
    for (Path file : files(dir)) {
      assertThat(bytes(file)).allSatisfy((carried, size) -> assertThat(size).isBetween(1, FILE));
    }
  }

  @Test
  void theOldestAreDeletedFirstAndTheOrderStays(@TempDir Path dir) throws IOException {
    append(dir, 0, 600);

    assertThat(NumberedEvents.numbers(replayed(dir)))
        .contains(599)
        .doesNotContain(0)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(files(dir)).hasSizeBetween(3, 6);
    assertThat(files(dir).get(0).getFileName().toString()).isGreaterThan("events-000008.jsonl");
  }

  @Test
  void aNewFileStartsWithTheWholeHistory(@TempDir Path dir) throws IOException {
    List<Event> history;
    try (HistoryLog log = open(dir)) {
      int i = 0;
      while (files(dir).size() < 4) {
        log.append(NumberedEvents.range(i, ++i));
      }
      history = log.events();
    }

    assertThat(replayed(dir)).isEqualTo(history);
    List<String> lines = Files.readAllLines(dir.resolve("events.jsonl"));
    assertThat(lines).hasSameSizeAs(history);
    assertThat(lines.get(0)).endsWith(",\"complete\":true,\"carried\":true}");
    assertThat(lines.get(1)).endsWith("\",\"carried\":true}");
  }

  @Test
  void rareEventsAreKeptAfterTheirFilesAreDeleted(@TempDir Path dir) throws IOException {
    Event rare = new Event.Started(clock.instant(), "0.1.0");
    try (HistoryLog log = open(dir)) {
      log.append(List.of(rare));
    }
    append(dir, 0, 600);

    assertThat(replayed(dir)).startsWith(rare).doesNotHaveDuplicates();
    assertThat(Files.readString(files(dir).get(0))).contains("\"version\":\"0.1.0\",");
  }

  @Test
  void aSnapshotIsReadCompletelyWithinAnyLimitOfOtherLines(@TempDir Path dir) {
    Event rare = new Event.Started(clock.instant(), "0.1.0");
    try (HistoryLog log = open(dir)) {
      log.append(List.of(rare));
    }
    append(dir, 0, 100);

    Limits narrow = new Limits(5 * FILE, Duration.ofDays(90), FILE, 1);
    List<Event> events = HistoryLog.read(dir, narrow, clock).events();
    assertThat(events).startsWith(rare);
    assertThat(NumberedEvents.numbers(events.subList(1, events.size()))).isNotEmpty().isSorted();
  }

  @Test
  void aPendingEventIsNotWrittenTwice(@TempDir Path dir) throws IOException {
    append(dir, 0, 100);

    for (Path file : files(dir)) {
      String plain =
          Files.readString(file).replace(",\"complete\":true", "").replace(",\"carried\":true", "");
      assertThat(plain.lines()).doesNotHaveDuplicates();
    }
  }

  @Test
  void filesThatAreTooOldAreDeletedWhenTheLogIsOpened(@TempDir Path dir) throws IOException {
    append(dir, 0, 150);
    List<Path> before = files(dir);
    assertThat(before).hasSizeGreaterThan(3);
    Files.setLastModifiedTime(
        before.get(0), FileTime.from(clock.instant().minus(Duration.ofDays(91))));
    Files.setLastModifiedTime(
        before.get(1), FileTime.from(clock.instant().minus(Duration.ofDays(89))));

    open(dir).close();

    assertThat(files(dir)).isEqualTo(before.subList(1, before.size()));
  }

  @Test
  void aQuietNodeStartsANewFileEveryTenDays(@TempDir Path dir) throws IOException {
    try (HistoryLog log = open(dir)) {
      log.append(NumberedEvents.range(0, 1));
      clock.advance(Duration.ofDays(9));
      log.append(NumberedEvents.range(1, 2));
      assertThat(files(dir)).hasSize(1);

      clock.advance(Duration.ofDays(2));
      log.append(NumberedEvents.range(2, 3));
      assertThat(files(dir)).hasSize(2);
    }
  }

  @Test
  void aBugInTheHistoryLosesNoEvent(@TempDir Path dir) {
    try (EventLog log =
        EventLog.open(
                dir,
                SMALL,
                clock,
                () -> {
                  throw new IllegalStateException("a bug");
                })
            .log()) {
      assertThat(log.append(NumberedEvents.range(0, 60))).isInstanceOf(Durable.class);
      assertThat(log.append(NumberedEvents.range(60, 120))).isInstanceOf(Durable.class);
    }

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 120));
  }

  @Test
  void aSnapshotThatDoesNotFitTakesNoRoomFromTheCurrentFile(@TempDir Path parent)
      throws IOException {
    int inSnapshot = 0;
    for (int good = FILE / 2; good < 2 * FILE; good += 100) {
      Path dir = parent.resolve(String.valueOf(good));
      List<Path> begun = new ArrayList<>();
      FaultyStorage storage =
          new FaultyStorage(FaultyStorage.Fault.FULL, good, Long.MAX_VALUE) {
            @Override
            public OpenFile open(Path file, long size) throws IOException {
              OpenFile opened = super.open(file, size);
              begun.add(file);
              return opened;
            }
          };
      try (HistoryLog log = HistoryLog.compacted(dir, SMALL, clock, storage)) {
        for (int i = 0; !storage.hasFailed(); i++) {
          log.append(NumberedEvents.range(i, i + 1));
        }
        boolean renamed = files(dir).size() > 1;
        inSnapshot += begun.contains(dir.resolve("events.jsonl.next")) && !renamed ? 1 : 0;

        assertThat(dir.resolve("events.jsonl.next")).doesNotExist();
      }
    }
    assertThat(inSnapshot).as("disks that were full in the middle of a snapshot").isPositive();
  }

  @Test
  void aNewFileThatWasNotRenamedIsDeletedOrRenamed(@TempDir Path dir) throws IOException {
    append(dir, 0, 3);
    Path current = dir.resolve("events.jsonl");
    Path next = dir.resolve("events.jsonl.next");
    Files.writeString(next, "{\"kind\":");

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 3));
    assertThat(next).doesNotExist();

    Files.move(current, dir.resolve("events-000001.jsonl"));
    Files.write(next, EventJson.snapshotLines(NumberedEvents.range(0, 4), true));

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 4));
    assertThat(next).doesNotExist();
    assertThat(current).exists();
  }

  /** As after damage to the first line of the current file. */
  @Test
  void withoutACompleteSnapshotTheOlderFilesAreReadToo(@TempDir Path dir) throws IOException {
    append(dir, 0, 3);
    Files.move(dir.resolve("events.jsonl"), dir.resolve("events-000001.jsonl"));
    Files.write(
        dir.resolve("events.jsonl"), EventJson.snapshotLines(NumberedEvents.range(1, 5), false));

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 5));
  }

  @Test
  void limitsThatAreTooSmallAreRejected() {
    assertThatThrownBy(() -> new Limits(2, Duration.ofDays(90), 1, 1))
        .hasMessageContaining("maxBytes");
    assertThatThrownBy(() -> new Limits(3, Duration.ofHours(1), 1, 1))
        .hasMessageContaining("maxAge");
    assertThat(Limits.DEFAULT.maxBytes()).isEqualTo(16 * 1024 * 1024);
  }
}
