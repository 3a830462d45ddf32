package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearQueueTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aRequestIsQueuedOnceItIsFetchedAndTakenOnce(@TempDir Path state) throws Exception {
    ClearRequests requests = new ClearRequests(state, InstantSource.fixed(NOW));
    ClearQueue queue = new ClearQueue(requests);
    AtomicInteger woken = new AtomicInteger();
    queue.onFetch(woken::incrementAndGet);
    queue.fetch();
    assertThat(woken).hasValue(0);
    requests.ask("xid_79", "gpu:3", "reseated");
    assertThat(queue.take()).isEmpty();

    queue.fetch();

    assertThat(woken).hasValue(1);
    assertThat(queue.take())
        .containsExactly(new Event.OperatorCleared(NOW, "xid_79", "gpu:3", "reseated"));
    assertThat(queue.take()).isEmpty();
  }
}
