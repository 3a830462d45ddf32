package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.LogQueue.PendingEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for the disk: groups are kept or removed as a whole. */
class UnwrittenEventsTest {

  private final UnwrittenEvents unwritten = new UnwrittenEvents();

  private void add(int from, int to) {
    unwritten.add(PendingEvent.group(NumberedEvents.range(from, to)));
  }

  private List<Integer> oldest(int most) {
    return NumberedEvents.numbers(
        unwritten.oldest(most).stream().map(PendingEvent::event).toList());
  }

  @Test
  void theWrittenPartOfAGroupIsWrittenAgainIfTheFileIsLost() {
    add(0, 3);
    unwritten.wrote(2);
    assertThat(unwritten.betweenGroups()).isFalse();
    assertThat(unwritten.count()).isEqualTo(1);
    assertThat(oldest(9)).containsExactly(2);

    unwritten.rewrite();
    assertThat(unwritten.count()).isEqualTo(3);
    assertThat(oldest(9)).containsExactly(0, 1, 2);
  }

  @Test
  void completeGroupsAreGoneAndTheNextOneStays() {
    add(0, 2);
    add(2, 5);
    assertThat(oldest(3)).containsExactly(0, 1, 2);

    unwritten.wrote(3);
    unwritten.rewrite();
    assertThat(oldest(9)).containsExactly(2, 3, 4);

    unwritten.wrote(3);
    assertThat(unwritten.isEmpty()).isTrue();
    assertThat(unwritten.betweenGroups()).isTrue();
    assertThat(unwritten.count()).isZero();
  }

  @Test
  void theOldestBeyondTheLimitAreDroppedAndCounted() {
    add(0, UnwrittenEvents.MAX);
    assertThat(unwritten.dropOldest()).isFalse();

    add(UnwrittenEvents.MAX, UnwrittenEvents.MAX + 5);
    assertThat(unwritten.dropOldest()).isTrue();
    assertThat(unwritten.dropped()).isEqualTo(5);
    assertThat(oldest(1)).containsExactly(5);
    assertThat(unwritten.count()).isEqualTo(UnwrittenEvents.MAX);
  }
}
