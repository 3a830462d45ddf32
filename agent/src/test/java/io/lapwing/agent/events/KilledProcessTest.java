package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledProcessTest {
  private static final int KILLS = 6;

  @Test
  void aProcessThatIsKilledInABurstLosesNothingThatItAcknowledged(@TempDir Path dir)
      throws Exception {
    Random random = new Random(dir.hashCode());
    int first = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      int acknowledged = killedAfter(dir, first, 1 + random.nextInt(80), random.nextInt(3_000_000));

      OpenResult opened = HistoryLog.read(dir, EventBurst.LIMITS, InstantSource.system());
      List<Integer> numbers = NumberedEvents.numbers(opened.events());
      assertThat(acknowledged).isGreaterThanOrEqualTo(first);
      assertThat(numbers.size()).isGreaterThanOrEqualTo((acknowledged + 1) * EventBurst.BATCH);
      assertThat(opened.malformed()).isZero();

      // A batch of which a part was written comes again as a whole; what is there twice counts
      // once.
      first = numbers.size() / EventBurst.BATCH;
      assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, numbers.size()));
    }
  }

  /**
   * Runs a burst, kills it some time after that many batches, and returns the last one it
   * acknowledged.
   */
  private static int killedAfter(Path dir, int first, int batches, int nanos)
      throws IOException, InterruptedException {
    Path acknowledgements = dir.resolve("acknowledged-" + first);
    Process burst = start(dir, first, acknowledgements);
    try {
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(Duration.ofMinutes(2))
          .until(() -> !burst.isAlive() || lineFeeds(acknowledgements) >= batches);
      LockSupport.parkNanos(nanos);
    } finally {
      burst.destroyForcibly();
    }
    assertThat(burst.waitFor()).as("killed, not ended").isEqualTo(128 + 9);
    return first - 1 + lineFeeds(acknowledgements);
  }

  private static Process start(Path dir, int first, Path acknowledgements) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            EventBurst.class.getName(),
            dir.toString(),
            Integer.toString(first))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(acknowledgements.toFile())
        .start();
  }

  private static int lineFeeds(Path acknowledgements) throws IOException {
    return (int) Files.readString(acknowledgements).chars().filter(c -> c == '\n').count();
  }
}
