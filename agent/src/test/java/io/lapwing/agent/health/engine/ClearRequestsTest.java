package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearRequestsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");

  private static ClearRequests in(Path state) {
    return new ClearRequests(state, InstantSource.fixed(NOW));
  }

  @Test
  void whatWasAskedIsTakenOnce(@TempDir Path state) throws Exception {
    in(state).ask("xid_79", "gpu:3", "reseated\nby hand");

    assertThat(in(state).take())
        .containsExactly(new Event.OperatorCleared(NOW, "xid_79", "gpu:3", "reseated by hand"));
    assertThat(in(state).take()).isEmpty();
  }

  @Test
  void nobodyAskedAnything(@TempDir Path state) {
    assertThat(in(state).take()).isEmpty();
    assertThat(in(state.resolve("not-there")).take()).isEmpty();
  }

  @Test
  void garbageIsTakenAwayAndClearsNothing(@TempDir Path state) throws Exception {
    Path folder = Files.createDirectories(state.resolve("clear"));
    Files.write(folder.resolve("a.request"), new byte[] {(byte) 0xff, 0, 7});
    Files.write(folder.resolve("b.request"), new byte[1 << 20]);
    Files.writeString(folder.resolve("c.request"), "one line only");
    Files.writeString(folder.resolve("half.new"), "xid_79\n\n");

    assertThat(in(state).take()).isEmpty();
    assertThat(in(state).take()).isEmpty();
    try (var left = Files.list(folder)) {
      assertThat(left).extracting(Path::getFileName).containsExactly(Path.of("half.new"));
    }
  }
}
