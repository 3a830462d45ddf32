package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** The time of day of a process jumps, and a process is stopped for a time. */
@Tag("slow")
@Execution(CONCURRENT)
class SetClockTest {

  private static final Duration LONG = Duration.ofMinutes(4);

  private static final List<Duration> JUMPS =
      List.of(Duration.ofDays(1), Duration.ofDays(-1), Duration.ZERO);

  private static long readings(Observed seen) {
    return seen.page().samples().filter(sample -> sample.name().startsWith("DCGM_FI_DEV_")).count();
  }

  @Test
  void settingTheClockADayForthAndBackChangesNeitherMetricsNorVerdict(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    FaultyLibc libc = FaultyLibc.in(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, steady(faulty), libc.environment())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      long before = readings(Observed.of(agent));
      int gpu = 0;
      for (Duration jump : JUMPS) {
        libc.setClock(jump);
        for (int look = 0; look < 20; look++) {
          Observed seen = Observed.of(agent);
          // A clock that counts would take all of them; a busy machine may be late with a few.
          assertThat(readings(seen)).as("%s, page %s", jump, look).isGreaterThan(before * 9 / 10);
          assertThat(seen.value("lapwing_gpu_xid_listening")).hasValue(1.0);
          assertThat(seen.hung()).isEmpty();
          assertThat(seen.rules()).as("%s, page %s", jump, look).hasSizeLessThanOrEqualTo(gpu);
          Thread.sleep(100);
        }
        Observed.of(agent).keep("clock", "set by " + jump);
        faulty.kmsg().append(FaultyAgent.xid(gpu++, 95, "pid=7, name=x, Uncontained"));
        FaultyAgent.awaitVerdict(agent, "failing");
        int found = gpu;
        org.awaitility.Awaitility.await()
            .atMost(LONG)
            .until(() -> Observed.of(agent).gpusWith("xid_95") == found);
      }
      assertThat(agent.err()).doesNotContain("Exception");
    }
  }

  @Test
  void aStoppedProcessContinuesWithoutFindingsOrCatchingUp(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, steady(faulty))) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      double readAt = FaultyAgent.sum(FaultyAgent.page(agent), READ_AT);

      agent.signal("STOP");
      Thread.sleep(Duration.ofSeconds(12).toMillis());
      faulty.kmsg().append(FaultyAgent.xid(4, 31, "pid=7, name=x, y"));
      agent.signal("CONT");

      for (int look = 0; look < 20; look++) {
        Observed seen = Observed.of(agent);
        assertThat(seen.verdict()).as("page %s", look).isEqualTo("healthy");
        Thread.sleep(100);
      }
      FaultyAgent.awaitEvaluation(agent);
      Observed seen = Observed.of(agent).keep("stopped", "two seconds after it goes on");
      assertThat(seen.gpusUp()).isEqualTo(8);
      assertThat(FaultyAgent.sum(seen.page(), READ_AT)).isGreaterThan(readAt);
      assertThat(FaultyAgent.xids(seen.page())).containsOnlyKeys("4 31");
      assertThat(agent.err()).doesNotContain("Exception");
    }
  }

  private static final String READ_AT = "lapwing_collector_last_success_timestamp_seconds";

  /** With the cadences that ship: on a busy machine a shorter one is missed without any fault. */
  private static List<String> steady(FaultyAgent faulty) {
    List<String> words = faulty.arguments();
    words.removeIf(
        word -> word.startsWith("--cadence.fast=") || word.startsWith("--poll.deadline="));
    return words;
  }
}
