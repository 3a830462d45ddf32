package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillSwitchTest {

  @TempDir private Path dir;

  @Test
  void itStaysSetOverARestartUntilItIsEnded() throws IOException {
    Path file = dir.resolve("paused");
    new KillSwitch(file).pause("ada", "maintenance\nof the fabric", Instant.EPOCH);

    KillSwitch after = new KillSwitch(file);

    assertThat(after.get()).contains("maintenance of the fabric (ada, 1970-01-01T00:00:00Z)");
    assertThat(after.unpause("ada")).isTrue();
    assertThat(after.get()).isEmpty();
    assertThat(after.unpause("ada")).isFalse();
  }

  @Test
  void aSecondPauseKeepsTheFirstReason() throws IOException {
    KillSwitch one = new KillSwitch(dir.resolve("paused"));
    one.pause("ada", "fabric", Instant.EPOCH);

    assertThat(one.pause("bob", "storage", Instant.EPOCH)).contains("it was paused before: fabric");
    assertThat(one.get().orElseThrow()).startsWith("fabric (ada, ").contains("; storage (bob, ");
  }

  @Test
  void whatCannotBeWrittenStopsUntilTheProcessEnds() throws IOException {
    KillSwitch full = new KillSwitch(dir.resolve("missing").resolve("paused"));
    assertThatThrownBy(() -> full.pause("ada", "fabric", Instant.EPOCH))
        .isInstanceOf(IOException.class);

    assertThat(full.get().orElseThrow()).startsWith("fabric (ada, ");
    assertThat(full.unpause("ada")).isTrue();
    assertThat(full.get()).isEmpty();
  }

  @Test
  void anEmptyFileByHandAndAnUnreadableOneStopToo() throws IOException {
    Path empty = Files.createFile(dir.resolve("empty"));
    Path folder = Files.createDirectory(dir.resolve("folder"));

    assertThat(new KillSwitch(empty).get()).contains(empty + " exists");
    assertThat(new KillSwitch(folder).get().orElseThrow()).contains("cannot be read");
  }
}
