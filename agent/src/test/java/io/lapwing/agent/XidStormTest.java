package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flood of messages in the kernel log, during which the process is killed. */
@Tag("slow")
class XidStormTest {

  private static final int[] NUMBERS = {13, 31, 43, 45, 48, 63, 74, 94, 95, 109, 119, 145, 149};
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int KILLS = 5;

  private final Random random = new Random(7);
  private final Map<String, Double> expected = new TreeMap<>();

  private List<String> burst(int lines) {
    List<String> texts = new ArrayList<>(lines);
    for (int i = 0; i < lines; i++) {
      int gpu = random.nextInt(8);
      int number = NUMBERS[random.nextInt(NUMBERS.length)];
      texts.add(
          FaultyAgent.xid(
              gpu, number, "pid=" + (7_000 + random.nextInt(90)) + ", name=python3, x"));
      expected.merge(gpu + " " + number, 1.0, Double::sum);
    }
    return texts;
  }

  private static double faulty(TextPage page) {
    return FaultyAgent.sum(page, "lapwing_gpu_xid_errors_total")
        + FaultyAgent.sum(page, "lapwing_kernel_log_lost_messages_total");
  }

  @Test
  void aHundredThousandLinesAreCountedEachOnceInTheHeapThatShips(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Map<String, Double> since;
    try (AgentProcess agent = AgentProcess.startSmall(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      for (int i = 0; i < 100; i++) {
        faulty.kmsg().append(burst(1_000));
      }
      await().atMost(LONG).until(() -> faulty(FaultyAgent.page(agent)) >= 100_000);

      TextPage page = FaultyAgent.page(agent);
      assertThat(FaultyAgent.xids(page)).isEqualTo(expected);
      FaultyAgent.awaitVerdict(agent, "failing");
      FaultyAgent.awaitEvaluation(agent);
      since = FaultyAgent.findings(FaultyAgent.page(agent));
      assertThat(since).containsKey("xid_95 " + subject(page, 3));
      awaitWritten(faulty.state());
      assertThat(size(faulty.state())).isLessThanOrEqualTo(16 << 20);
      agent.terminate();
      assertThat(agent.exitCode()).isIn(0, 143);
    }
    try (AgentProcess again = AgentProcess.startSmall(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(again);
      FaultyAgent.awaitEvaluation(again);
      TextPage page = FaultyAgent.page(again);

      assertThat(FaultyAgent.xids(page)).isEqualTo(expected);
      assertThat(FaultyAgent.findings(page)).isEqualTo(since);
      assertThat(again.err()).doesNotContain("damage in the event log");
    }
  }

  private static String subject(TextPage page, int gpu) {
    return page.samples("lapwing_gpu_verdict").stream()
        .filter(sample -> sample.label("gpu").equals(String.valueOf(gpu)))
        .map(sample -> "gpu:" + sample.label("UUID"))
        .findFirst()
        .orElseThrow();
  }

  /** A process that has to end has a second to write its events; a storm may take longer. */
  private static void awaitWritten(Path state) throws Exception {
    long before = -1;
    while (before != size(state)) {
      before = size(state);
      Thread.sleep(Duration.ofSeconds(2).toMillis());
    }
  }

  private static long size(Path state) throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aProcessThatIsKilledInABurstCountsEachLineOnceAfterwards(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    for (int kill = 0; kill < KILLS; kill++) {
      try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
        FaultyAgent.awaitReady(agent);
        long end = System.nanoTime() + Duration.ofMillis(400 + random.nextInt(1_200)).toNanos();
        while (System.nanoTime() < end) {
          faulty.kmsg().append(burst(400));
          Thread.sleep(20);
        }
        agent.kill();
      }
    }
    try (AgentProcess last = AgentProcess.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(last);
      await().atMost(LONG).until(() -> faulty(FaultyAgent.page(last)) >= faulty.kmsg().written());

      assertThat(FaultyAgent.xids(FaultyAgent.page(last))).isEqualTo(expected);
    }
    // Events on the disk were not written again: no two lines have the same XIDs.
    assertThat(linesOfTheCurrentFile(faulty.state())).doesNotHaveDuplicates();
  }

  private static List<String> linesOfTheCurrentFile(Path state) throws IOException {
    try (Stream<String> lines = Files.lines(state.resolve("events.jsonl"))) {
      return lines
          .filter(line -> line.contains("\"kind\":\"xid\""))
          .map(line -> line.replaceAll(",\"(more|carried|complete)\":true", ""))
          .toList();
    }
  }

  @Test
  void aRestartWithoutANewLineChangesNothing(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    faulty
        .kmsg()
        .append(
            FaultyAgent.xid(3, 79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus."),
            "NVRM: GPU 0000:86:00.0: GPU has fallen off the bus.",
            FaultyAgent.xid(5, 63, "pid=7, name=x, Row Remapper: New row (0x18f31d80) marked"),
            FaultyAgent.xid(5, 63, "pid=7, name=x, Row Remapper: New row (0x18f31d80) marked"));
    Map<String, Double> xids = Map.of();
    Map<String, Double> findings = Map.of();
    Map<String, Double> verdicts = Map.of();
    for (int start = 0; start < 3; start++) {
      try (AgentProcess agent = AgentProcess.start(dir, faulty.arguments())) {
        FaultyAgent.awaitReady(agent);
        FaultyAgent.awaitVerdict(agent, "failing");
        FaultyAgent.awaitEvaluation(agent);
        TextPage page = FaultyAgent.page(agent);
        if (start == 0) {
          xids = FaultyAgent.xids(page);
          findings = FaultyAgent.findings(page);
          verdicts = since(page);
          assertThat(xids).isEqualTo(Map.of("3 79", 1.0, "5 63", 2.0));
          assertThat(findings).hasSize(2);
        }
        assertThat(FaultyAgent.xids(page)).isEqualTo(xids);
        assertThat(FaultyAgent.findings(page)).isEqualTo(findings);
        assertThat(since(page)).isEqualTo(verdicts);
        agent.kill();
      }
    }
  }

  private static Map<String, Double> since(TextPage page) {
    return Map.of("node", page.value("lapwing_node_verdict_since_timestamp_seconds").orElseThrow());
  }
}
