package io.lapwing.drain.app;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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
    assertThat(after.unpause("ada", Instant.EPOCH)).isTrue();
    assertThat(after.get()).isEmpty();
    assertThat(after.unpause("ada", Instant.EPOCH)).isFalse();
  }

  @Test
  void itsHistorySaysWhoAndWhyAlsoAfterARestart() throws IOException {
    Path file = dir.resolve("paused");
    KillSwitch one = new KillSwitch(file);
    one.pause("ada", "fabric", Instant.EPOCH);
    one.unpause("bob", Instant.ofEpochSecond(60));
    one.unpause("bob", Instant.ofEpochSecond(61)); // it was not paused

    List<PauseLog.Change> history =
        List.of(
            new PauseLog.Change(Instant.EPOCH, "ada", "paused: fabric"),
            new PauseLog.Change(Instant.ofEpochSecond(60), "bob", "no longer paused"));
    assertThat(one.history()).isEqualTo(history);
    Files.writeString(dir.resolve("pauses.jsonl"), "{\"at\": \"cut off", APPEND);
    assertThat(new KillSwitch(file).history()).isEqualTo(history);
  }

  @Test
  void itsHistoryIsBounded() throws IOException {
    KillSwitch one = new KillSwitch(dir.resolve("paused"));
    for (int i = 0; i < 210; i++) {
      one.pause("ada", "" + i, Instant.ofEpochSecond(i));
      one.unpause("ada", Instant.ofEpochSecond(i));
    }

    assertThat(one.history()).hasSize(200).last().extracting("what").isEqualTo("no longer paused");
    assertThat(Files.readAllLines(dir.resolve("pauses.jsonl"))).hasSize(200);
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
    assertThat(full.history()).extracting("what").containsExactly("paused: fabric");
    assertThat(full.unpause("ada", Instant.EPOCH)).isTrue();
    assertThat(full.get()).isEmpty();
  }

  @Test
  void anEmptyFileByHandAndAnUnreadableOneStopToo() throws IOException {
    Path empty = Files.createFile(dir.resolve("empty"));
    Path folder = Files.createDirectory(dir.resolve("folder"));

    assertThat(new KillSwitch(empty).get()).contains(empty + " exists");
    assertThat(new KillSwitch(folder).get().orElseThrow())
        .startsWith(folder + " cannot be read: ")
        .doesNotEndWith(folder.toString());
  }
}
