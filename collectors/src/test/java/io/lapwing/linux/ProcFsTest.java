package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFsTest {

  private static final Instant BOOT = Instant.ofEpochSecond(1_740_300_000);
  private static final String INTERRUPTS = "intr " + "0 ".repeat(20_000) + "\n";

  private static Reading<Instant> bootTime(Path proc, Duration up) {
    return new ProcFs(proc).bootTime(InstantSource.fixed(BOOT.plus(up)));
  }

  @Test
  void theBootTimeIsReadFromALineBeyondTheFirstPage(@TempDir Path proc) throws IOException {
    Files.writeString(
        proc.resolve("stat"), "cpu 1 2\n" + INTERRUPTS + "btime 1740300000\nprocesses 1\n");
    assertThat(bootTime(proc, Duration.ZERO)).isEqualTo(Reading.of(BOOT));
  }

  @Test
  void theUptimeRefinesTheBootTime(@TempDir Path proc) throws IOException {
    Files.writeString(proc.resolve("stat"), "btime 1740300000\n");
    Files.writeString(proc.resolve("uptime"), "99.75 12.50\n");
    assertThat(bootTime(proc, Duration.ofSeconds(100))).isEqualTo(Reading.of(BOOT.plusMillis(250)));
  }

  @Test
  void anUptimeThatDoesNotAdvanceIsIgnored(@TempDir Path proc) throws IOException {
    Files.writeString(proc.resolve("stat"), "btime 1740300000\n");
    Files.writeString(proc.resolve("uptime"), "99.75 12.50\n");
    assertThat(bootTime(proc, Duration.ofHours(5))).isEqualTo(Reading.of(BOOT));
    Files.writeString(proc.resolve("uptime"), "garbage\n");
    assertThat(bootTime(proc, Duration.ofSeconds(100))).isEqualTo(Reading.of(BOOT));
  }

  @Test
  void anAbsentFileIsMissingAndAMalformedTimeFails(@TempDir Path proc) throws IOException {
    assertThat(bootTime(proc, Duration.ZERO)).isInstanceOf(Reading.Missing.class);
    Files.writeString(proc.resolve("stat"), "cpu 1 2\nbtime soon\n");
    assertThat(bootTime(proc, Duration.ZERO).failure()).contains("malformed");
  }

  @Test
  void theBootTimeOfThisMachineIsRead() {
    Path proc = Path.of("/proc");
    Assumptions.assumeTrue(Files.isReadable(proc.resolve("stat")), "no /proc/stat here");
    Instant boot = new ProcFs(proc).bootTime(InstantSource.system()).toOptional().orElseThrow();
    assertThat(boot).isBefore(Instant.now());
  }

  @Test
  void theStartOfAProcessIsField22WhateverItsName(@TempDir Path proc) throws IOException {
    Path stat = Files.createDirectory(proc.resolve("7")).resolve("stat");
    Files.writeString(stat, "7 (a b) c) S" + " 1".repeat(18) + " 4711 5 6\n");
    assertThat(new ProcFs(proc).startTicks(7)).isEqualTo(Reading.of(4711L));
    assertThat(new ProcFs(proc).startTicks(8)).isInstanceOf(Reading.Missing.class);
    for (String malformed : new String[] {"", "7 (a) S 1", "7 (a) S" + " x".repeat(30)}) {
      Files.writeString(stat, malformed);
      assertThat(new ProcFs(proc).startTicks(7).failure()).contains("malformed");
    }
  }

  @Test
  void theStateAndTheRunDelayOfAProcessAreRead(@TempDir Path proc) throws IOException {
    Path folder = Files.createDirectory(proc.resolve("7"));
    ProcFs procfs = new ProcFs(proc);
    Files.writeString(folder.resolve("stat"), "7 (a) b) T 1 1");
    assertThat(procfs.state(7)).isEqualTo(Reading.of('T'));
    Files.writeString(folder.resolve("stat"), "7 (a");
    assertThat(procfs.state(7).failure()).contains("malformed");
    assertThat(procfs.runDelay(7)).isInstanceOf(Reading.Missing.class);
    Files.writeString(folder.resolve("schedstat"), "123 2500000000 17\n");
    assertThat(procfs.runDelay(7)).isEqualTo(Reading.of(2_500_000_000L));
    Files.writeString(folder.resolve("schedstat"), "0\n");
    assertThat(procfs.runDelay(7).failure()).contains("malformed");
  }

  @Test
  void thePortOfThisProcessIsItsUsers() throws IOException {
    ProcFs proc = new ProcFs(Path.of("/proc"));
    long self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(proc.listeners(socket.getLocalPort())).isEqualTo(Reading.of(Set.of(self)));
    }
    assertThat(proc.uid(ProcessHandle.current().pid())).isEqualTo(Reading.of(self));
  }

  /** A process chooses its name: 15 bytes, of which the kernel escapes only line feeds. */
  @Test
  void theNameOfAProcessIsNotItsUser(@TempDir Path folder) throws IOException {
    Files.createDirectory(folder.resolve("7"));
    Files.writeString(
        folder.resolve("7/status"),
        "Name:\tx\rUid:\t0\t0\nUmask:\t0022\nUid:\t1001\t1001\t1001\t1001\n");
    assertThat(new ProcFs(folder).uid(7)).isEqualTo(Reading.of(1001L));
  }

  @Test
  void withoutATableTheListenersAreUnknown(@TempDir Path proc) {
    assertThat(new ProcFs(proc).listeners(8000)).isInstanceOf(Reading.Missing.class);
  }
}
