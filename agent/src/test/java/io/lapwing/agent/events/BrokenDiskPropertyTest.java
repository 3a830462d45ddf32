package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Durability.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/** Wherever the disk breaks, in the middle of a line or between two files. */
class BrokenDiskPropertyTest {
  private static final int BATCHES = 25;

  /** Steps that all batches take together, about. */
  private static final int STEPS = 8_000;

  /** Files of about ten events, so that a new one is begun again and again. */
  private static final Limits SMALL =
      new Limits(1 << 20, ScratchDirectory.WIDE.maxAge(), 1_000, 1 << 20);

  /** One agent's life: how many events it was given, how many of them are on the disk for sure. */
  private record Life(int given, int durable) {}

  private static Life live(EventLog log, int first, FaultyStorage storage, List<Event> matter) {
    int given = first;
    int durable = first;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Event> events = NumberedEvents.range(given, given + 1 + batch % 4);
      given += events.size();
      matter.addAll(events.stream().filter(event -> event.at().toEpochMilli() % 7 == 0).toList());
      if (log.append(events) instanceof Durable) {
        durable = given;
      } else {
        assertThat(storage.hasFailed()).isTrue();
      }
    }
    return new Life(given, durable);
  }

  private static EventLog open(ScratchDirectory directory, Storage storage, List<Event> matter) {
    return EventLog.open(
            directory.path(), SMALL, InstantSource.system(), () -> List.copyOf(matter), storage)
        .log();
  }

  @Property(tries = 200)
  void nothingIsLostByADiskThatWasFullForAWhile(
      @ForAll @IntRange(max = STEPS) int good, @ForAll @IntRange(min = 1, max = 60) int bad)
      throws IOException {
    nothingIsLost(new FaultyStorage(FaultyStorage.Fault.FULL, good, bad));
  }

  @Property(tries = 200)
  void nothingIsLostByADiskThatFailedForAWhile(
      @ForAll @IntRange(max = STEPS) int good, @ForAll @IntRange(min = 1, max = 60) int bad)
      throws IOException {
    nothingIsLost(new FaultyStorage(FaultyStorage.Fault.DEAD, good, bad));
  }

  private static void nothingIsLost(FaultyStorage storage) throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      List<Event> matter = new ArrayList<>();
      Life life;
      try (EventLog log = open(directory, storage, matter)) {
        life = live(log, 0, storage, matter);
        storage.repair();
        assertThat(log.retry()).isInstanceOf(Durable.class);
        assertThat(log.waiting()).isZero();
        assertThat(log.dropped()).isZero();
      }
      Statistics.label("broke").collect(storage.hasFailed());
      Statistics.label("files").collect(names(directory).size() - 1);

      Opened opened = directory.replayed();
      assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, life.given()));
      assertThat(opened.problems()).isEmpty();
      assertThat(names(directory)).contains("events.jsonl").doesNotContain("events.jsonl.next");
    }
  }

  @Property(tries = 200)
  void whatWasAcknowledgedOutlivesTheEndOfPowerAndNoLineIsTornInTheMiddle(
      @ForAll @IntRange(max = STEPS) int good, @ForAll @DoubleRange(max = 1) double kept)
      throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      FaultyStorage storage = new FaultyStorage(FaultyStorage.Fault.DEAD, good, Long.MAX_VALUE);
      List<Event> matter = new ArrayList<>();
      Life first;
      try (EventLog log = open(directory, storage, matter)) {
        first = live(log, 0, storage, matter);
      }
      storage.losePower(kept);

      Opened again = directory.open(SMALL, () -> List.copyOf(matter));
      int survived = again.events().size();
      assertThat(again.events()).isEqualTo(NumberedEvents.range(0, survived));
      assertThat(survived).isBetween(first.durable(), first.given());
      assertThat(again.malformed()).isZero();
      matter.retainAll(again.events());
      Life second = live(again.log(), survived, storage, matter);
      again.log().close();

      Opened last = directory.replayed();
      assertThat(last.events()).isEqualTo(NumberedEvents.range(0, second.given()));
      assertThat(last.problems()).isEmpty();
    }
  }

  private static List<String> names(ScratchDirectory directory) throws IOException {
    try (Stream<Path> files = Files.list(directory.path())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
