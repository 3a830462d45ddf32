package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lapwing.agent.events.SmallDisk;
import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** If events cannot be stored, faults are found nevertheless, and the page shows the problem. */
@Tag("slow")
@Execution(CONCURRENT)
class StateDirectoryTest {

  private static final String FALLEN =
      "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

  private static void awaitDurable(AgentProcess agent, double durable) {
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                FaultyAgent.page(agent).value("lapwing_event_log_durable").orElse(-1.0) == durable);
  }

  private static boolean saysBroken(AgentProcess agent) {
    return FaultyAgent.findings(FaultyAgent.page(agent)).containsKey("event_log_broken node");
  }

  private static void awaitBroken(AgentProcess agent, boolean broken) {
    await().atMost(TestAgent.PATIENCE).until(() -> saysBroken(agent), said -> said == broken);
  }

  private static void bothFail(FaultyAgent faulty, AgentProcess first, AgentProcess second)
      throws IOException {
    FaultyAgent.awaitReady(second);
    faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN));
    FaultyAgent.awaitVerdict(first, "failing");
    FaultyAgent.awaitVerdict(second, "failing");
  }

  @Test
  void aSecondInstanceLogsItDetectsFaultsAndTakesOver(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess first = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(first);
      try (AgentProcess second = AgentProcess.start(dir, faulty.arguments())) {
        bothFail(faulty, first, second);

        awaitDurable(first, 1);
        awaitDurable(second, 0);
        assertThat(saysBroken(second)).isTrue();
        assertThat(second.err()).contains("locked by another agent");

        first.terminate();
        assertThat(first.exitCode()).isIn(0, 143);
        awaitDurable(second, 1);
        awaitBroken(second, false);
      }
    }
    assertKept(faulty, 1);
  }

  @Test
  void aSecondInstanceContinuesWithWhatOperatorsAskedOfTheFirst(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess first = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(first);
      try (AgentProcess second = AgentProcess.start(dir, faulty.arguments())) {
        bothFail(faulty, first, second);
        Instant now = Instant.now();
        new ClearRequests(faulty.state(), InstantSource.system()).ask("xid_79", "gpu:2", "swapped");
        new OperatorRequests(faulty.state())
            .ask(new OperatorRequest.StartMaintenance(now.plusSeconds(3_600), "new cable"));
        FaultyAgent.awaitVerdict(first, "healthy");

        first.terminate();
        assertThat(first.exitCode()).isIn(0, 143);
        FaultyAgent.awaitVerdict(second, "healthy");
        assertThat(FaultyAgent.page(second).value("lapwing_maintenance")).hasValue(1.0);
      }
    }
  }

  /** The history of an agent that starts now. */
  private static void assertKept(FaultyAgent faulty, double xids) throws Exception {
    try (AgentProcess again = AgentProcess.start(faulty.dir(), faulty.arguments())) {
      FaultyAgent.awaitReady(again);
      FaultyAgent.awaitVerdict(again, "failing");
      assertThat(FaultyAgent.sum(FaultyAgent.page(again), "lapwing_gpu_xid_errors_total"))
          .isEqualTo(xids);
    }
  }

  @Test
  void aDirectoryThatIsMissingIsUsedOnceItIsThere(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path parent = dir.resolve("none");
    List<String> words = faulty.arguments(parent.resolve("state"));
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      FaultyAgent.awaitReady(agent);
      faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN));
      FaultyAgent.awaitVerdict(agent, "failing");
      awaitBroken(agent, true);
      awaitDurable(agent, 0);

      Files.createDirectory(parent);
      awaitDurable(agent, 1);
      awaitBroken(agent, false);
      assertThat(Files.readString(parent.resolve("state/events.jsonl"))).contains("\"number\":79");
    }
  }

  @Test
  void theHistoryOfADirectoryThatAppearsLaterCounts(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path disk = Files.createDirectory(dir.resolve("disk"));
    List<String> words = faulty.arguments(disk.resolve("state"));
    try (AgentProcess before = AgentProcess.start(dir, words)) {
      FaultyAgent.awaitReady(before);
      faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN));
      FaultyAgent.awaitVerdict(before, "failing");
      before.terminate();
      assertThat(before.exitCode()).isIn(0, 143);
    }
    Path file = disk.resolve("state/events.jsonl");
    String boot = "{\"kind\":\"booted\",\"at\":\"2025-12-01T00:00:00Z\",\"bootId\":\"before\"}\n";
    Files.writeString(file, boot + Files.readString(file));
    Path unmounted = Files.move(disk, dir.resolve("unmounted"));
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      FaultyAgent.awaitReady(agent);
      awaitBroken(agent, true);
      Files.move(unmounted, disk);
      awaitBroken(agent, false);
      FaultyAgent.awaitVerdict(agent, "failing");
      assertThat(FaultyAgent.sum(FaultyAgent.page(agent), "lapwing_gpu_xid_errors_total"))
          .isEqualTo(1.0);
    }
  }

  @Test
  void aFullDiskIsReportedAndNoEventIsLost(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path mount = Files.createDirectory(dir.resolve("disk"));
    try (SmallDisk disk = SmallDisk.mount(mount)) {
      Path state = disk.path().resolve("state");
      try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments(state))) {
        FaultyAgent.awaitReady(agent);
        awaitDurable(agent, 1);
        Path filler = fill(disk.path());
        faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN + " " + "x".repeat(900)));
        tell(faulty, 40);
        FaultyAgent.awaitVerdict(agent, "failing");
        awaitDurable(agent, 0);
        awaitBroken(agent, true);
        Files.delete(filler);
        awaitDurable(agent, 1);
        awaitBroken(agent, false);

        agent.terminate();
        assertThat(agent.exitCode()).isIn(0, 143);
      }
      try (AgentProcess again = AgentProcess.start(dir, faulty.arguments(state))) {
        FaultyAgent.awaitReady(again);
        FaultyAgent.awaitVerdict(again, "failing");
        assertThat(FaultyAgent.sum(FaultyAgent.page(again), "lapwing_gpu_xid_errors_total"))
            .isEqualTo((double) faulty.kmsg().written());
      }
    }
  }

  @Test
  void aDiskThatIsReadOnlyIsWrittenOnceItMayBe(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path mount = Files.createDirectory(dir.resolve("disk"));
    try (SmallDisk disk = SmallDisk.mount(mount)) {
      disk.remount("ro");
      try (AgentProcess agent =
          AgentProcess.start(dir, faulty.arguments(disk.path().resolve("state")))) {
        FaultyAgent.awaitReady(agent);
        faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN));
        FaultyAgent.awaitVerdict(agent, "failing");
        awaitDurable(agent, 0);
        awaitBroken(agent, true);

        disk.remount("rw");
        awaitDurable(agent, 1);
        awaitBroken(agent, false);
      }
    }
  }

  /** Different processes, so that each line is an event. */
  private static void tell(FaultyAgent faulty, int lines) throws IOException {
    for (int i = 0; i < lines; i++) {
      faulty.kmsg().append(FaultyAgent.xid(4, 31, "pid=" + (9_000 + i) + ", name=x, y"));
    }
  }

  /** Leaves not even room for a line. */
  private static Path fill(Path disk) throws IOException {
    Path filler = disk.resolve("filler");
    byte[] block = new byte[1_024];
    try {
      for (int i = 0; i < 1_024; i++) {
        Files.write(filler, block, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (IOException full) {
      return filler;
    }
    throw new IOException("a disk of 64 KiB took a mebibyte");
  }

  @Test
  void aDamagedLogLosesOnlyTheDamagedPartAndLogsIt(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      faulty.kmsg().append(FaultyAgent.xid(2, 79, FALLEN));
      FaultyAgent.awaitVerdict(agent, "failing");
      faulty.kmsg().append(FaultyAgent.xid(3, 64, "pid=7, name=x, Row Remapper Error"));
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> FaultyAgent.findings(FaultyAgent.page(agent)).size() == 2);
      agent.terminate();
      assertThat(agent.exitCode()).isIn(0, 143);
    }
    Path file = faulty.state().resolve("events.jsonl");
    damage(file);

    try (AgentProcess again = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(again);
      FaultyAgent.awaitVerdict(again, "failing");
      FaultyAgent.awaitEvaluation(again);

      assertThat(again.err())
          .contains("damage in the event log", file + ":", "longer than any event")
          .contains("the last line is torn");
      assertThat(FaultyAgent.findings(FaultyAgent.page(again)).keySet())
          .anyMatch(finding -> finding.startsWith("xid_79 "));
      assertThat(FaultyAgent.page(again).value("lapwing_event_log_durable")).hasValue(1.0);
    }
  }

  /** Rubbish between the lines, a line of a mebibyte, zeros, and an end that is cut off. */
  private static void damage(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] rubbish = new byte[5_000];
    new Random(3).nextBytes(rubbish);
    for (int i = 0; i < lines.size(); i++) {
      byte[] line = (lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8);
      boolean last = i == lines.size() - 1;
      bytes.write(line, 0, last ? line.length / 2 : line.length);
      if (i == lines.size() / 2) {
        bytes.write(rubbish);
        bytes.write('\n');
        bytes.write("{\"kind\":\"".getBytes(StandardCharsets.UTF_8));
        bytes.write(new byte[1 << 20]);
        bytes.write('\n');
        bytes.write(new byte[20_000]);
        bytes.write('\n');
      }
    }
    Files.write(file, bytes.toByteArray());
  }
}
