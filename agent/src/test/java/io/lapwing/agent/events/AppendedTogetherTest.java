package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.LogQueue.PendingEvent;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Events of one append are kept all or not at all, wherever the process was killed. */
class AppendedTogetherTest {

  private static final int FIRST = 5;
  private static final int ALL = 12;

  private static byte[] written() throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      HistoryLog log = directory.open();
      log.append(NumberedEvents.range(0, FIRST));
      log.append(NumberedEvents.range(FIRST, ALL));
      log.close();
      return directory.bytes();
    }
  }

  @Property(tries = 200)
  void anIncompleteGroupIsCutOffAndWhatFollowsIsKept(@ForAll @IntRange(max = 4_000) int end)
      throws IOException {
    byte[] bytes = written();
    int cut = Math.min(end, bytes.length);
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      directory.write(Arrays.copyOf(bytes, cut));
      HistoryLog log = directory.open();
      OpenResult opened = log.opened();
      List<Event> kept = opened.events();
      int count = kept.size();
      assertThat(count).isIn(0, FIRST, ALL);
      assertThat(kept).isEqualTo(NumberedEvents.range(0, count));
      assertThat(opened.malformed()).isZero();
      log.append(NumberedEvents.range(count, ALL));
      log.close();

      assertThat(directory.replayed().events()).isEqualTo(NumberedEvents.range(0, ALL));
      // Only a missing line feed may differ.
      assertThat(directory.bytes()).startsWith(Arrays.copyOf(bytes, 10));
    }
  }

  @Test
  void thePartOfAGroupIsNotLostWithTheDirectory() throws IOException {
    FaultyStorage storage = new FaultyStorage(FaultyStorage.Fault.DEAD, Long.MAX_VALUE, 0);
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      List<Event> all = NumberedEvents.range(0, ALL);
      EventLog log =
          EventLog.open(
                  directory.path(),
                  ScratchDirectory.WIDE,
                  InstantSource.system(),
                  () -> all,
                  storage)
              .log();
      List<PendingEvent> together = PendingEvent.group(all);
      log.appendPending(together.subList(0, FIRST));
      assertThat(directory.path().resolve("events.jsonl").toFile().delete()).isTrue();
      log.appendPending(together.subList(FIRST, ALL));
      log.close();

      assertThat(directory.replayed().events()).isEqualTo(NumberedEvents.range(0, ALL));
    }
  }
}
