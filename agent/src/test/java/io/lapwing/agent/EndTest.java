package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** An agent that gets SIGTERM during a scrape, and while its calls hang. */
@Tag("slow")
@Execution(CONCURRENT)
class EndTest {

  private static final Duration LONG = Duration.ofMinutes(4);

  /** The exit code of a JVM after SIGTERM; the unit takes it for success. */
  private static final int TOLD_TO_END = 143;

  private static final int SCRAPERS = 8;

  /** Sends requests until one is refused. */
  private static Thread scraper(AgentProcess agent, String address) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (agent.isAlive()) {
                  agent.get("/metrics");
                }
              } catch (IOException | InterruptedException over) {
                // It has ended, as awaited.
              }
            },
            "scraper of " + address);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static Duration end(AgentProcess agent) throws Exception {
    List<Thread> scrapers = new ArrayList<>();
    for (int i = 0; i < SCRAPERS; i++) {
      scrapers.add(scraper(agent, agent.address()));
    }
    long began = System.nanoTime();
    agent.terminate();
    assertThat(agent.exitCode()).isEqualTo(TOLD_TO_END);
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    for (Thread thread : scrapers) {
      thread.join();
    }
    return took;
  }

  private static void hangDriver(FaultyAgent faulty) {
    faulty
        .node()
        .setAll(
            Map.of(
                "gpu.3.block.*", "forever",
                "system.block.nvmlSystemGetDriverVersion", "forever",
                "system.block.nvmlEventSetWait_v2", "forever"));
  }

  @Test
  void itEndsUnderLoadWhileTheDriverHangsAndKeepsItsEvents(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      hangDriver(faulty);
      await().atMost(LONG).until(() -> Observed.of(agent).hung().size() >= 2);
      faulty.kmsg().append(FaultyAgent.xid(5, 95, "pid=8, name=y, Uncontained"));
      FaultyAgent.awaitVerdict(agent, "failing");

      Figures.keep("sigterm", "under load with a driver that hangs", end(agent));

      assertThat(agent.err()).doesNotContain("Exception");
    }
    assertThat(Files.readString(faulty.state().resolve("events.jsonl"))).contains("\"number\":95");
  }

  @Test
  void itEndsWhileTheDriverAndTheDiskHang(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    FaultyLibc libc = FaultyLibc.in(dir);
    try (AgentProcess agent =
        AgentProcess.startShipped(dir, faulty.arguments(), libc.environment())) {
      FaultyAgent.awaitReady(agent);
      hangDriver(faulty);
      await().atMost(LONG).until(() -> Observed.of(agent).hung().size() >= 2);
      libc.hang(faulty.state());
      faulty.kmsg().append(FaultyAgent.xid(5, 95, "pid=8, name=y, Uncontained"));
      FaultyAgent.awaitVerdict(agent, "failing");

      Figures.keep("sigterm", "under load with a driver and a disk that hang", end(agent));
    }
    try (AgentProcess again = AgentProcess.startShipped(dir, faulty.arguments())) {
      faulty
          .node()
          .clear(
              "gpu.3.block.*",
              "system.block.nvmlSystemGetDriverVersion",
              "system.block.nvmlEventSetWait_v2");
      FaultyAgent.awaitReady(again);
      // What never reached the disk is read from the kernel log once more, and counted once.
      FaultyAgent.awaitVerdict(again, "failing");
      assertThat(FaultyAgent.xids(FaultyAgent.page(again))).isEqualTo(Map.of("5 95", 1.0));
    }
  }
}
