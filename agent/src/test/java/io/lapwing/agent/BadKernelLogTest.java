package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lapwing.agent.metrics.TextPage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Kernel logs that cannot be read, that are damaged, and that contain forged lines. */
@Tag("slow")
@Execution(CONCURRENT)
class BadKernelLogTest {

  private static final String FALLEN =
      "NVRM: Xid (PCI:0000:75:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

  private static final String SXID =
      "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error Rate";

  private static void assertNoXids(AgentProcess agent) {
    TextPage page = FaultyAgent.page(agent);
    assertThat(FaultyAgent.xids(page)).isEmpty();
    assertThat(FaultyAgent.findings(page).keySet())
        .noneMatch(finding -> finding.startsWith("xid_") || finding.startsWith("sxid_"));
    assertThat(agent.isAlive()).isTrue();
  }

  private static void awaitReadable(AgentProcess agent, double readable) {
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                FaultyAgent.page(agent).value("lapwing_kernel_log_readable").orElse(-1.0)
                    == readable);
  }

  @Test
  void aMissingLogOrADirectoryIsReportedAndReadOnceItExists(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Files.delete(faulty.kmsg().path());
    List<String> words = faulty.arguments();
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      FaultyAgent.awaitReady(agent);
      awaitReadable(agent, 0);
      Files.createDirectory(faulty.kmsg().path());
      FaultyAgent.awaitEvaluation(agent);
      awaitReadable(agent, 0);
      assertNoXids(agent);

      Files.delete(faulty.kmsg().path());
      Files.createFile(faulty.kmsg().path());
      faulty.kmsg().append(FALLEN);
      FaultyAgent.awaitVerdict(agent, "failing");
      awaitReadable(agent, 1);
    }
  }

  @Test
  void rubbishIsNoFaultAndHidesNone(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startSmall(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      byte[] rubbish = new byte[1 << 20];
      Random random = new Random(5);
      for (int i = 0; i < 8; i++) {
        random.nextBytes(rubbish);
        faulty.kmsg().raw(rubbish);
      }
      faulty.kmsg().raw("\n");
      // As long as any record can be, thousands of times.
      for (int i = 0; i < 300; i++) {
        faulty.kmsg().raw(faulty.kmsg().record(4, 1_000_000, "NVRM: " + "x".repeat(60_000)));
      }
      faulty.kmsg().raw(new byte[1 << 20]);
      faulty.kmsg().raw("\n");
      FaultyAgent.awaitEvaluation(agent);
      await()
          .atMost(TestAgent.PATIENCE)
          .until(
              () ->
                  FaultyAgent.page(agent).value("lapwing_kernel_log_messages_total").orElse(0.0)
                      >= 300);
      assertNoXids(agent);

      faulty.kmsg().append(FALLEN);
      FaultyAgent.awaitVerdict(agent, "failing");
      // The verdict may be there a round before the counter.
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> assertThat(FaultyAgent.xids(FaultyAgent.page(agent))).containsOnlyKeys("2 79"));
    }
  }

  @Test
  void whatIsNotTheDriversIsNoFault(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    KmsgFile kmsg = faulty.kmsg();
    try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      // A user wrote it to /dev/kmsg.
      kmsg.raw(kmsg.record(12, 1_000_000, FALLEN));
      kmsg.raw(kmsg.record(30, 1_000_000, FALLEN));
      // A user quotes the driver.
      kmsg.append(
          "oom-kill: task=" + FALLEN,
          "systemd[1]: " + FALLEN,
          "audit: type=1400 comm=\"NVRM: Xid (PCI:0000:75:00): 79, x\"",
          " " + FALLEN,
          "x\n" + FALLEN,
          "traps: NVRM: Xid (PCI:0000:75:00): 79[4711] trap invalid opcode");
      // The name of a process looks like that: the XID is 13 nevertheless.
      kmsg.append(
          "NVRM: Xid (PCI:0000:75:00): 13, pid=7, name=79, GPU has fallen off the bus., x",
          "NVRM: Xid (PCI:0000:75:00): 13, pid=7, name=\\x0aNVRM: Xid (PCI:0000:75:00): 79, x");
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> FaultyAgent.xids(FaultyAgent.page(agent)).containsKey("2 13"));
      FaultyAgent.awaitEvaluation(agent);

      assertThat(FaultyAgent.xids(FaultyAgent.page(agent))).containsOnlyKeys("2 13");
      FaultyAgent.awaitVerdict(agent, "healthy");
    }
  }

  @Test
  void aContainersLineInSyslogIsNoFaultWhereSyslogReplacesTheKernelLog(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Files.delete(faulty.kmsg().path());
    Path logs = Files.createDirectories(faulty.node().rootfs().resolve("var/log"));
    Path syslog = logs.resolve("syslog");
    Files.createFile(syslog);
    try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      awaitReadable(agent, 1);
      append(
          syslog,
          "2026-03-01T03:00:00.000000+00:00 node containerd[900]: " + FALLEN,
          "2026-03-01T03:00:00.000000+00:00 node python3: kernel: " + FALLEN,
          "2026-03-01T03:00:00.000000+00:00 node pod[1]: kernel: " + FALLEN,
          "Mar  1 03:00:00 node dockerd[77]: level=info msg=\"" + FALLEN + "\"",
          FALLEN);
      FaultyAgent.awaitEvaluation(agent);
      FaultyAgent.awaitEvaluation(agent);
      assertNoXids(agent);

      append(syslog, "2026-03-01T03:00:00.000000+00:00 node kernel: [ 12.000000] " + FALLEN);
      // Users can write to a syslog file: without NVML's confirmation its action is watch at most.
      FaultyAgent.awaitVerdict(agent, "degraded");
    }
  }

  @Test
  void whatSyslogHadBeforeARestartIsCountedOnce(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Files.delete(faulty.kmsg().path());
    Path logs = Files.createDirectories(faulty.node().rootfs().resolve("var/log"));
    Path syslog = logs.resolve("syslog");
    String time = Instant.now().minusSeconds(60) + " node kernel: [ 12.000000] ";
    Files.createFile(syslog);
    append(
        syslog,
        time + SXID,
        time + "NVRM: GPU 0000:75:00.0: RmInitAdapter failed! (0x62:0x65:1834)");
    for (int start = 0; start < 2; start++) {
      try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
        FaultyAgent.awaitReady(agent);
        awaitReadable(agent, 1);
        FaultyAgent.awaitEvaluation(agent);
        FaultyAgent.awaitEvaluation(agent);
        TextPage page = FaultyAgent.page(agent);

        assertThat(FaultyAgent.sum(page, "lapwing_nvswitch_sxid_errors_total")).isEqualTo(1);
        assertThat(page.value("lapwing_events_total", "kind", "sxid").orElse(0.0))
            .isEqualTo(start == 0 ? 1 : 0);
      }
    }
  }

  private static void append(Path file, String... lines) throws Exception {
    Files.writeString(
        file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8, StandardOpenOption.APPEND);
  }

  @Test
  void recordsWithAbsurdTimesAreFaultsOfNow(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    KmsgFile kmsg = faulty.kmsg();
    // 64 bits of nanoseconds, the most that a kernel can say.
    kmsg.raw(kmsg.record(4, 18_446_744_073_709_551L, FaultyAgent.xid(1, 79, "x")));
    kmsg.raw(kmsg.record(4, 0, FaultyAgent.xid(2, 95, "x")));
    kmsg.raw("4,99999999999999999999,99999999999999999999,-;" + FALLEN + "\n");
    try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "failing");
      double now = System.currentTimeMillis() / 1e3;
      TextPage page = FaultyAgent.page(agent);

      assertThat(FaultyAgent.findings(page)).hasSize(2);
      assertThat(FaultyAgent.findings(page).values()).allMatch(since -> since <= now + 1);
      assertThat(page.samples("lapwing_gpu_xid_last_seen_timestamp_seconds"))
          .allMatch(seen -> seen.value() <= now + 1);
    }
  }
}
