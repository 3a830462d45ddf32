package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.events.Durability.NotDurable;
import io.lapwing.agent.events.Durability.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is full or read-only. */
class SmallDiskTest {

  private static HistoryLog open(Path dir) {
    return HistoryLog.open(dir, ScratchDirectory.WIDE, InstantSource.system());
  }

  private static OpenResult read(Path dir) {
    return HistoryLog.read(dir, ScratchDirectory.WIDE, InstantSource.system());
  }

  private static void assertNotDurable(Reason reason, String why, Durability durability) {
    assertThat(durability)
        .isInstanceOfSatisfying(
            NotDurable.class,
            state -> {
              assertThat(state.reason()).isEqualTo(reason);
              assertThat(state.why()).isEqualTo(why);
            });
  }

  @Test
  void onAFullDiskEventsAreBufferedAndWrittenOnceThereIsSpace(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      HistoryLog log = open(disk.path());
      log.append(NumberedEvents.range(0, 10));
      Path ballast = dir.resolve("ballast");
      Files.write(ballast, new byte[50 << 10]);

      int given = 10;
      while (log.append(NumberedEvents.range(given, given + 10)) instanceof Durable) {
        given += 10;
      }
      given += 10;
      assertNotDurable(Reason.DISK_FULL, "No space left on device", log.log().durability());
      assertThat(Files.readString(dir.resolve("events.jsonl"))).endsWith("}\n");
      assertThat(log.log().waiting()).isEqualTo(10);
      assertNotDurable(Reason.DISK_FULL, "No space left on device", log.retry());

      Files.delete(ballast);
      assertThat(log.retry()).isInstanceOf(Durable.class);
      log.close();
      OpenResult again = read(dir);
      assertThat(again.events()).isEqualTo(NumberedEvents.range(0, given));
      assertThat(again.problems()).isEmpty();
    }
  }

  @Test
  void aDiskThatIsFullFromTheStartIsReported(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      Files.write(dir.resolve("ballast"), new byte[64 << 10]);
      HistoryLog log = open(disk.path());

      assertNotDurable(
          Reason.DISK_FULL, "No space left on device", log.append(NumberedEvents.range(0, 1)));

      Files.delete(dir.resolve("ballast"));
      assertThat(log.retry()).isInstanceOf(Durable.class);
      log.close();
    }
  }

  @Test
  void aReadOnlyDiskIsReadAndWrittenOnceItIsWritable(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      try (HistoryLog log = open(disk.path())) {
        log.append(NumberedEvents.range(0, 3));
      }
      disk.remount("ro");

      HistoryLog log = open(dir);
      assertThat(log.opened().events()).isEqualTo(NumberedEvents.range(0, 3));
      assertNotDurable(
          Reason.READ_ONLY, "Read-only file system", log.append(NumberedEvents.range(3, 5)));

      disk.remount("rw");
      assertThat(log.retry()).isInstanceOf(Durable.class);
      log.close();
      OpenResult again = read(dir);
      assertThat(again.events()).isEqualTo(NumberedEvents.range(0, 5));
    }
  }
}
