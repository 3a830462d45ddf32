package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.poll.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotationTest {
  private static final int FILE = 1_000;
  private static final Limits SMALL = new Limits(5 * FILE, Duration.ofDays(90), FILE, 1 << 20);

  private final VirtualClock clock = new VirtualClock();
  private final List<Event> matter = new ArrayList<>();

  private Opened open(Path dir, Limits limits) {
    return EventLog.open(dir, limits, clock, () -> List.copyOf(matter));
  }

  private void append(Path dir, int from, int to) {
    try (EventLog log = open(dir, SMALL).log()) {
      for (int i = from; i < to; i++) {
        assertThat(log.append(NumberedEvents.range(i, i + 1))).isInstanceOf(Durable.class);
      }
    }
  }

  private List<Event> replayed(Path dir) {
    Opened opened = open(dir, SMALL);
    opened.log().close();
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

  @Test
  void filesTogetherNeverTakeMoreThanTheirBound(@TempDir Path dir) throws IOException {
    try (EventLog log = open(dir, SMALL).log()) {
      for (int i = 0; i < 300; i++) {
        log.append(NumberedEvents.range(i, i + 1));
        assertThat(size(dir)).isLessThanOrEqualTo(SMALL.maxBytes());
      }
    }

    assertThat(size(dir)).isGreaterThan(SMALL.maxBytes() / 2);
    for (Path file : files(dir)) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(FILE);
    }
  }

  @Test
  void theOldestGoFirstAndTheOrderStays(@TempDir Path dir) throws IOException {
    append(dir, 0, 300);

    List<Event> events = replayed(dir);

    assertThat(events).isEqualTo(NumberedEvents.range(300 - events.size(), 300));
    assertThat(events).hasSizeBetween(20, 60);
    assertThat(files(dir).get(0).getFileName().toString()).isGreaterThan("events-000010.jsonl");
  }

  @Test
  void whatStillMattersOutlivesItsFileInItsPlaceAndOnce(@TempDir Path dir) throws IOException {
    matter.addAll(List.of(NumberedEvents.one(0), NumberedEvents.one(7), NumberedEvents.one(150)));
    append(dir, 0, 300);

    List<Integer> numbers = NumberedEvents.numbers(replayed(dir));

    assertThat(numbers).startsWith(0, 7, 150).isSorted().doesNotHaveDuplicates();
    assertThat(Files.readString(dir.resolve("events.jsonl")))
        .contains("\"sign\":\"reset 7\",\"carried\":true}");
  }

  @Test
  void whatStillMattersIsKeptByFilesThatAreNotReadAnyMore(@TempDir Path dir) {
    matter.add(NumberedEvents.one(3));
    append(dir, 0, 40);

    Opened opened = open(dir, new Limits(5 * FILE, Duration.ofDays(90), FILE, 1));
    opened.log().close();

    assertThat(NumberedEvents.numbers(opened.events())).contains(3).hasSizeLessThan(5).isSorted();
  }

  @Test
  void whatMattersNoMoreIsNotCarriedOn(@TempDir Path dir) {
    matter.add(NumberedEvents.one(0));
    append(dir, 0, 100);
    matter.clear();
    append(dir, 100, 300);

    assertThat(NumberedEvents.numbers(replayed(dir))).doesNotContain(0);
  }

  @Test
  void whatMattersIsBoundedTooAndTheNewestOfItStays(@TempDir Path dir) throws IOException {
    try (EventLog log = open(dir, SMALL).log()) {
      for (int i = 0; i < 100; i++) {
        matter.add(NumberedEvents.one(i));
        log.append(NumberedEvents.range(i, i + 1));
        assertThat(size(dir)).isLessThanOrEqualTo(SMALL.maxBytes());
      }
      assertThat(log.dropped()).isPositive();
    }

    assertThat(NumberedEvents.numbers(replayed(dir))).contains(99).doesNotContain(0).isSorted();
  }

  @Test
  void anEventThatWaitsIsNotWrittenTwice(@TempDir Path dir) throws IOException {
    try (EventLog log = open(dir, SMALL).log()) {
      for (int i = 0; i < 30; i++) {
        matter.add(NumberedEvents.one(i));
        log.append(NumberedEvents.range(i, i + 1));
      }
    }

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 30));
    for (Path file : files(dir)) {
      assertThat(Files.readString(file).replace(",\"carried\":true", "").lines())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void filesOfAnOtherAgeAreDeletedWhenTheLogIsOpened(@TempDir Path dir) throws IOException {
    append(dir, 0, 50);
    List<Path> before = files(dir);
    assertThat(before).hasSizeGreaterThan(3);
    Files.setLastModifiedTime(
        before.get(0), FileTime.from(clock.instant().minus(Duration.ofDays(91))));
    Files.setLastModifiedTime(
        before.get(1), FileTime.from(clock.instant().minus(Duration.ofDays(89))));

    open(dir, SMALL).log().close();

    assertThat(files(dir)).isEqualTo(before.subList(1, before.size()));
  }

  @Test
  void aQuietNodeBeginsANewFileEveryTenDays(@TempDir Path dir) throws IOException {
    try (EventLog log = open(dir, SMALL).log()) {
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
  void aBugInTheSupplierCostsNoEvent(@TempDir Path dir) {
    try (EventLog log =
        EventLog.open(
                dir,
                SMALL,
                clock,
                () -> {
                  throw new IllegalStateException("a bug");
                })
            .log()) {
      assertThat(log.append(NumberedEvents.range(0, 20))).isInstanceOf(Durable.class);
      assertThat(log.append(NumberedEvents.range(20, 40))).isInstanceOf(Durable.class);
    }

    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 40));
  }

  @Test
  void aNewFileThatNeverTookItsPlaceIsForgottenOrTakesIt(@TempDir Path dir) throws IOException {
    append(dir, 0, 3);
    Path current = dir.resolve("events.jsonl");
    Path next = dir.resolve("events.jsonl.next");

    Files.writeString(next, "{\"kind\":");
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 3));
    assertThat(next).doesNotExist();

    Files.move(current, dir.resolve("events-000001.jsonl"));
    Files.write(next, EventJson.carriedLines(NumberedEvents.range(1, 2)));
    assertThat(replayed(dir)).isEqualTo(NumberedEvents.range(0, 3));
    assertThat(next).doesNotExist();
    assertThat(current).exists();
  }

  @Test
  void limitsThatHoldNothingAreRefused() {
    assertThatThrownBy(() -> new Limits(2, Duration.ofDays(90), 1, 1))
        .hasMessageContaining("maxBytes");
    assertThatThrownBy(() -> new Limits(3, Duration.ofHours(1), 1, 1))
        .hasMessageContaining("maxAge");
    assertThat(Limits.DEFAULT.maxBytes()).isEqualTo(16 * 1024 * 1024);
  }
}
