package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.events.Storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/** The disk fails at any step: within a line, within a snapshot, or between two renames. */
class BrokenDiskPropertyTest {

  private static final int BATCHES = 25;

  /** Steps of all batches and snapshots together, about. */
  private static final int STEPS = 30_000;

  /** Files of about twenty events, so that new ones are started again and again. */
  private static final Limits SMALL =
      new Limits(1 << 20, ScratchDirectory.WIDE.maxAge(), 2_000, 1 << 20);

  private static Life live(HistoryLog log, FaultyStorage storage) {
    int given = log.events().size();
    int durable = given;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Event> events = NumberedEvents.range(given, given + 1 + batch % 4);
      given += events.size();
      if (log.append(events) instanceof Durable) {
        durable = given;
      } else {
        assertThat(storage.hasFailed()).isTrue();
      }
    }
    return new Life(given, durable);
  }

  private static HistoryLog open(ScratchDirectory directory, Storage storage) {
    return HistoryLog.open(directory.path(), SMALL, InstantSource.system(), storage);
  }

  /** How many events one agent was given, and how many of them it acknowledged as durable. */
  private record Life(int given, int durable) {}

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
      Life life;
      try (HistoryLog log = open(directory, storage)) {
        life = live(log, storage);
        storage.repair();
        assertThat(log.retry()).isInstanceOf(Durable.class);
        assertThat(log.log().waiting()).isZero();
        assertThat(log.log().dropped()).isZero();
      }

      Statistics.label("broke").collect(storage.hasFailed());
      Statistics.label("files").collect(names(directory).size() - 1);
      OpenResult opened = directory.replayed();
      assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, life.given()));
      assertThat(opened.problems()).isEmpty();
      assertThat(names(directory)).contains("events.jsonl").doesNotContain("events.jsonl.next");
    }
  }

  @Property(tries = 200)
  void acknowledgedEventsSurviveAPowerLossAndNoLineIsTornInTheMiddle(
      @ForAll @IntRange(max = STEPS) int good, @ForAll @DoubleRange(max = 1) double kept)
      throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      FaultyStorage storage = new FaultyStorage(FaultyStorage.Fault.DEAD, good, Long.MAX_VALUE);
      Life first;
      try (HistoryLog log = open(directory, storage)) {
        first = live(log, storage);
      }
      storage.losePower(kept);

      Life second;
      try (HistoryLog again = open(directory, DiskStorage.INSTANCE)) {
        int survived = again.events().size();
        assertThat(again.events()).isEqualTo(NumberedEvents.range(0, survived));
        assertThat(survived).isBetween(first.durable(), first.given());
        second = live(again, storage);
      }

      OpenResult last = directory.replayed();
      assertThat(last.events()).isEqualTo(NumberedEvents.range(0, second.given()));
      assertThat(last.problems()).isEmpty();
      assertThat(last.malformed()).isZero();
    }
  }

  private static List<String> names(ScratchDirectory directory) throws IOException {
    try (Stream<Path> files = Files.list(directory.path())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
