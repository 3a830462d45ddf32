package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue, with a history as the agent has it. */
class LogQueueTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** More than all buffers together hold. */
  private static final int MANY = 20_000;

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
