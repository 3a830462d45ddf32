package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue, with a history as the agent has it. */
class LogQueueTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** More than all buffers together hold. */
  private static final int MANY = 20_000;

  @Test
  void aChoreThatFailsDoesNotEndTheWriter(@TempDir Path dir) {
    AtomicInteger runs = new AtomicInteger();
    OpenResult opened = EventLog.open(dir, Limits.DEFAULT, InstantSource.system(), List::of);
    try (LogQueue queue =
        new LogQueue(
            opened.log(),
            () -> {
              runs.incrementAndGet();
              throw new IllegalStateException("a folder that cannot be listed");
            })) {
      queue.add(List.of(NumberedEvents.range(0, 1).get(0)));
      await().atMost(PATIENCE).until(() -> runs.get() > 0);
      queue.add(List.of(NumberedEvents.range(1, 2).get(0)));
      await().atMost(PATIENCE).until(() -> runs.get() > 1);
    }

    assertThat(HistoryLog.read(dir, Limits.DEFAULT, InstantSource.system()).events()).hasSize(2);
  }

  @Test
  void theAgentThatHasNotTheDirectoryTakesNoRequests(@TempDir Path dir) {
    AtomicInteger runs = new AtomicInteger();
    OpenResult first = EventLog.open(dir, Limits.DEFAULT, InstantSource.system(), List::of);
    OpenResult second = EventLog.open(dir, Limits.DEFAULT, InstantSource.system(), List::of);
    try (LogQueue queue = new LogQueue(second.log(), runs::incrementAndGet)) {
      queue.add(List.of(NumberedEvents.range(0, 1).get(0)));
      await().atMost(PATIENCE).until(() -> second.log().waiting() > 0);
      assertThat(runs).hasValue(0);
      first.log().close();
      await().atMost(PATIENCE).until(() -> runs.get() > 0);
    }
  }

  @Test
  void eventsDroppedWhileTheDirectoryWasMissingAreWrittenFromMemory(@TempDir Path parent)
      throws Exception {
    Path dir = parent.resolve("missing").resolve("state");
    EventHistory[] history = new EventHistory[1];
    OpenResult opened =
        EventLog.open(dir, Limits.DEFAULT, InstantSource.system(), () -> history[0].events());
    try (LogQueue queue = new LogQueue(opened.log(), () -> {})) {
      history[0] = new EventHistory(List.of(), queue::add, event -> {});
      for (int i = 0; i < MANY; i += 10) {
        history[0].add(NumberedEvents.range(i, i + 10));
      }
      assertThat(queue.durability()).isInstanceOf(Durability.NotDurable.class);
      await().atMost(PATIENCE).until(() -> queue.dropped() > 0);

      Files.createDirectory(parent.resolve("missing"));
      await().atMost(PATIENCE).until(() -> queue.durability() instanceof Durability.Durable);
      history[0].add(NumberedEvents.range(MANY, MANY + 1));
    }

    OpenResult again = HistoryLog.read(dir, Limits.DEFAULT, InstantSource.system());
    assertThat(again.problems()).isEmpty();
    assertThat(again.events()).isEqualTo(history[0].events());
  }
}
