package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Durability.Durable;
import io.lapwing.agent.events.Durability.NotDurable;
import io.lapwing.agent.events.Durability.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is full or read-only. */
class SmallDiskTest {

  private static Opened open(Path dir) {
    return EventLog.open(dir, ScratchDirectory.WIDE, InstantSource.system(), List::of);
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
  void onAFullDiskEventsWaitAndAreWrittenOnceThereIsRoom(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      EventLog log = open(disk.path()).log();
      log.append(NumberedEvents.range(0, 10));
      Path ballast = dir.resolve("ballast");
      Files.write(ballast, new byte[50 << 10]);

      int given = 10;
      while (log.append(NumberedEvents.range(given, given + 10)) instanceof Durable) {
        given += 10;
      }
      given += 10;
      assertNotDurable(Reason.DISK_FULL, "No space left on device", log.durability());
      assertThat(Files.readString(dir.resolve("events.jsonl"))).endsWith("}\n");
      assertThat(log.waiting()).isEqualTo(10);
      assertNotDurable(Reason.DISK_FULL, "No space left on device", log.retry());

      Files.delete(ballast);
      assertThat(log.retry()).isInstanceOf(Durable.class);
      log.close();
      Opened again = open(dir);
      again.log().close();
      assertThat(again.events()).isEqualTo(NumberedEvents.range(0, given));
      assertThat(again.problems()).isEmpty();
    }
  }

  @Test
  void aDiskThatIsFullFromTheStartIsSaid(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      Files.write(dir.resolve("ballast"), new byte[64 << 10]);
      EventLog log = open(disk.path()).log();

      assertNotDurable(
          Reason.DISK_FULL, "No space left on device", log.append(NumberedEvents.range(0, 1)));

      Files.delete(dir.resolve("ballast"));
      assertThat(log.retry()).isInstanceOf(Durable.class);
      log.close();
    }
  }

  @Test
  void aReadOnlyDiskIsReadAndWrittenOnceItCanBe(@TempDir Path dir) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(dir)) {
      try (EventLog log = open(disk.path()).log()) {
        log.append(NumberedEvents.range(0, 3));
      }
      disk.remount("ro");

      Opened opened = open(dir);
      assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, 3));
      assertNotDurable(
          Reason.READ_ONLY,
          "Read-only file system",
          opened.log().append(NumberedEvents.range(3, 5)));

      disk.remount("rw");
      assertThat(opened.log().retry()).isInstanceOf(Durable.class);
      opened.log().close();
      Opened again = open(dir);
      again.log().close();
      assertThat(again.events()).isEqualTo(NumberedEvents.range(0, 5));
    }
  }
}
