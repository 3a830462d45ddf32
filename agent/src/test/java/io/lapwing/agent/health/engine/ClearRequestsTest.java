package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearRequestsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");

  private static ClearRequests in(Path state) {
    return new ClearRequests(state, InstantSource.fixed(NOW));
  }

  @Test
  void aRequestIsReadOnce(@TempDir Path state) throws Exception {
    in(state).ask("xid_79", "gpu:3", "reseated\nby hand");

    assertThat(in(state).read())
        .containsExactly(new Event.OperatorCleared(NOW, "xid_79", "gpu:3", "reseated by hand"));
    assertThat(in(state).read()).isEmpty();
  }

  @Test
  void withoutRequestsNothingIsRead(@TempDir Path state) {
    assertThat(in(state).read()).isEmpty();
    assertThat(in(state.resolve("not-there")).read()).isEmpty();
  }

  @Test
  void garbageIsDeletedAndClearsNothing(@TempDir Path state) throws Exception {
    Path folder = Files.createDirectories(state.resolve("clear"));
    Files.write(folder.resolve("a.request"), new byte[] {(byte) 0xff, 0, 7});
    Files.write(folder.resolve("b.request"), new byte[1 << 20]);
    Files.writeString(folder.resolve("c.request"), "one line only");
    Files.writeString(folder.resolve("half.new"), "xid_79\n\n");

    assertThat(in(state).read()).isEmpty();
    assertThat(in(state).read()).isEmpty();
    try (var left = Files.list(folder)) {
      assertThat(left).extracting(Path::getFileName).containsExactly(Path.of("half.new"));
    }
  }

  @Test
  void aRequestWhoseCommandWasKilledIsNotCarriedOutLater(@TempDir Path state) throws Exception {
    Path old = in(state).ask("xid_79", "gpu:3", "").file();
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(61)));
    in(state).ask("xid_48", "gpu:3", "");

    assertThat(in(state).read()).extracting(Event.OperatorCleared::rule).containsExactly("xid_48");
    assertThat(old).doesNotExist();
  }

  @Test
  void aRequestIsQueuedOnceItIsFetchedAndTakenOnce(@TempDir Path state) throws Exception {
    ClearRequests requests = in(state);
    AtomicInteger woken = new AtomicInteger();
    requests.onFetch(woken::incrementAndGet);
    requests.fetch();
    assertThat(woken).hasValue(0);
    requests.ask("xid_79", "gpu:3", "reseated");
    assertThat(requests.take()).isEmpty();

    requests.fetch();

    assertThat(woken).hasValue(1);
    assertThat(requests.take())
        .containsExactly(new Event.OperatorCleared(NOW, "xid_79", "gpu:3", "reseated"));
    assertThat(requests.take()).isEmpty();
  }
}
