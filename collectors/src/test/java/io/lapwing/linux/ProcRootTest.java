package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcRootTest {

  private static final Instant BOOT = Instant.ofEpochSecond(1_740_300_000);
  private static final String INTERRUPTS = "intr " + "0 ".repeat(20_000) + "\n";

  private static Reading<Instant> bootTime(Path proc, Duration up) {
    return new ProcRoot(proc).bootTime(InstantSource.fixed(BOOT.plus(up)));
  }

  @Test
  void theBootIsToldByALineFarBeyondThePage(@TempDir Path proc) throws IOException {
    Files.writeString(
        proc.resolve("stat"), "cpu 1 2\n" + INTERRUPTS + "btime 1740300000\nprocesses 1\n");
    assertThat(bootTime(proc, Duration.ZERO)).isEqualTo(Reading.of(BOOT));
  }

  @Test
  void theUptimeMakesItFiner(@TempDir Path proc) throws IOException {
    Files.writeString(proc.resolve("stat"), "btime 1740300000\n");
    Files.writeString(proc.resolve("uptime"), "99.75 12.50\n");
    assertThat(bootTime(proc, Duration.ofSeconds(100))).isEqualTo(Reading.of(BOOT.plusMillis(250)));
  }

  @Test
  void anUptimeThatStandsStillCountsNothing(@TempDir Path proc) throws IOException {
    Files.writeString(proc.resolve("stat"), "btime 1740300000\n");
    Files.writeString(proc.resolve("uptime"), "99.75 12.50\n");
    assertThat(bootTime(proc, Duration.ofHours(5))).isEqualTo(Reading.of(BOOT));
    Files.writeString(proc.resolve("uptime"), "garbage\n");
    assertThat(bootTime(proc, Duration.ofSeconds(100))).isEqualTo(Reading.of(BOOT));
  }

  @Test
  void whatIsNotThereIsMissingAndWhatIsNoTimeAFailure(@TempDir Path proc) throws IOException {
    assertThat(bootTime(proc, Duration.ZERO)).isInstanceOf(Reading.Missing.class);
    Files.writeString(proc.resolve("stat"), "cpu 1 2\nbtime soon\n");
    assertThat(bootTime(proc, Duration.ZERO).failure()).contains("malformed");
  }

  @Test
  void thisMachineWasBooted() {
    Path proc = Path.of("/proc");
    Assumptions.assumeTrue(Files.isReadable(proc.resolve("stat")), "no /proc/stat here");
    Instant boot = new ProcRoot(proc).bootTime(InstantSource.system()).toOptional().orElseThrow();
    assertThat(boot).isBefore(Instant.now());
  }
}
