package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventHistoryTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final Event BOOTED = new Event.Booted(START, "boot", "i-1");
  private static final int MANY = 30_000;
  private static final int KINDS = 24;
  private static final int TOGETHER = 120;

  private static Event xid(int number, long sequence) {
    return new Event.Xid(
        START.plusSeconds(sequence),
        "GPU-" + sequence % 8,
        "0000:53:00",
        OptionalInt.empty(),
        OptionalInt.empty(),
        number,
        OptionalLong.of(sequence),
        "python3",
        "Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_3 faulted",
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        1 + sequence % 3,
        OptionalLong.of(sequence));
  }

  private static EventHistory forgetful(List<Event> kept) {
    return new EventHistory(kept, events -> {}, event -> {});
  }

  private static Map<String, Long> counts(List<Event> events) {
    Map<String, Long> counts = new TreeMap<>();
    for (Event event : events) {
      if (event instanceof Event.Xid xid) {
        counts.merge(xid.gpu() + " " + xid.number(), xid.times(), Long::sum);
      }
    }
    return counts;
  }

  private static List<Event> storm() {
    List<Event> storm = new ArrayList<>(List.of(BOOTED));
    IntStream.range(0, MANY).forEach(i -> storm.add(xid(13 + i % KINDS, i)));
    return storm;
  }

  @Test
  void inAStormCountsStayExactAndMemoryStaysBounded() {
    EventHistory history = forgetful(List.of());
    storm().forEach(event -> history.add(List.of(event)));

    List<Event> events = history.events();
    assertThat(events).hasSizeLessThanOrEqualTo(EventHistory.MAX_EVENTS).startsWith(BOOTED);
    assertThat(EventJson.snapshotLines(events, true).length)
        .isLessThanOrEqualTo((int) Limits.DEFAULT.fileBytes());
    assertThat(counts(events)).isEqualTo(counts(storm()));
    assertThat(events).endsWith(xid(13 + (MANY - 1) % KINDS, MANY - 1));
    assertThat(history.counts()).containsEntry("xid", (long) MANY);
  }

  @Test
  void withoutDuplicatesTheOldestAreDroppedAndTheBootStays() {
    EventHistory history = forgetful(List.of(BOOTED));
    for (int i = 0; i < MANY; i++) {
      history.add(List.of(xid(i + 1, i)));
    }

    assertThat(history.events())
        .hasSizeLessThanOrEqualTo(EventHistory.MAX_EVENTS)
        .startsWith(BOOTED)
        .endsWith(xid(MANY, MANY - 1));
  }

  @Test
  void longMessagesTakeNoMoreRoomThanShortOnes() {
    EventHistory history = forgetful(List.of(BOOTED));
    for (int i = 0; i < MANY / 10; i++) {
      history.add(
          List.of(new Event.OperatorCleared(START.plusSeconds(i), "", "", "\u001b".repeat(5_000))));
    }

    assertThat(EventJson.snapshotLines(history.events(), true).length)
        .isLessThanOrEqualTo((int) Limits.DEFAULT.fileBytes());
  }

  @Test
  void theLastVerdictOnEachSubjectStays() {
    Event ofGpu = new Event.VerdictChanged(START, "gpu:GPU-7", "healthy", "failing", "reset_gpu");
    EventHistory history = forgetful(List.of(ofGpu));
    for (int i = 0; i < MANY; i++) {
      history.add(
          List.of(
              new Event.VerdictChanged(START.plusSeconds(i), "node", "healthy", "unknown", "")));
    }

    assertThat(history.events()).startsWith(ofGpu);
  }

  @Test
  void faultsOfSwitchesAreCountedExactlyToo() {
    EventHistory history = forgetful(List.of());
    for (int i = 0; i < MANY; i++) {
      history.add(
          List.of(
              new Event.SXid(
                  START.plusSeconds(i),
                  "nvidia-nvswitch" + i % 4,
                  "0000:c1:00",
                  20034,
                  true,
                  OptionalInt.of(i % 18),
                  "LTSSM Fault Up",
                  2,
                  OptionalLong.of(i))));
    }

    assertThat(history.events().stream().mapToLong(event -> ((Event.SXid) event).times()).sum())
        .isEqualTo(2L * MANY);
  }

  @Test
  void aRestartDuringAStormKeepsTheCounts(@TempDir Path dir) {
    List<Event> storm = storm();
    for (int start = 0; start < storm.size(); start += storm.size() / 3) {
      List<Event> part = storm.subList(start, Math.min(storm.size(), start + storm.size() / 3));
      Kept kept = new Kept(dir);
      assertThat(counts(kept.history.events())).isEqualTo(counts(storm.subList(0, start)));
      kept.add(part);
    }
    Kept last = new Kept(dir);

    assertThat(counts(last.history.events())).isEqualTo(counts(storm));
    assertThat(last.history.events()).startsWith(BOOTED);
  }

  /** A history with its log, in small files. */
  private static final class Kept {
    private static final Limits SMALL = new Limits(16 << 20, Duration.ofDays(90), 1 << 20, 2 << 20);

    final EventHistory history;
    private final EventLog log;

    Kept(Path dir) {
      OpenResult opened =
          EventLog.open(dir, SMALL, InstantSource.system(), () -> this.history().events());
      assertThat(opened.problems()).isEmpty();
      log = opened.log();
      history = new EventHistory(opened.events(), log::append, event -> {});
    }

    private EventHistory history() {
      return history;
    }

    void add(List<Event> events) {
      for (int i = 0; i < events.size(); i += TOGETHER) {
        history.add(events.subList(i, Math.min(events.size(), i + TOGETHER)));
      }
      log.close();
    }
  }
}
