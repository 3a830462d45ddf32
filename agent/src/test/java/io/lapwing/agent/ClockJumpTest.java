package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wall clock is set while the agent runs; the clock that never jumps goes on. */
@Tag("slow")
class ClockJumpTest {

  /** Real time, and what the wall clock was set by. */
  private static final class SetClock implements PollClock {
    private volatile Duration by = Duration.ZERO;

    @Override
    public Instant instant() {
      return Instant.now().plus(by);
    }

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }
  }

  private static Set<String> shown(HealthReport report) {
    return report.findings().stream()
        .map(finding -> finding.rule() + " " + report.name(finding.subject()))
        .collect(Collectors.toSet());
  }

  @Test
  void findingsNeitherVanishNorWaitWhenTheWallClockIsSet(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    SetClock clock = new SetClock();
    List<Duration> steps =
        List.of(
            Duration.ZERO,
            Duration.ofDays(1),
            Duration.ofDays(-1),
            Duration.ofDays(-2),
            Duration.ofDays(400));
    try (TestAgent agent =
        TestAgent.started(
            TestAgent.settings(
                node, "--cadence.fast=200ms", "--cadence.medium=200ms", "--poll.deadline=500ms"),
            clock,
            nvml -> nvml)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> agent.wiring().health().report().verdict() == Verdict.HEALTHY);
      for (int gpu = 0; gpu < steps.size(); gpu++) {
        clock.by = steps.get(gpu);
        String wanted = "xid_95 GPU " + gpu;
        node.kernelXid(gpu, 95);
        await()
            .atMost(TestAgent.PATIENCE)
            .until(() -> shown(agent.wiring().health().report()).contains(wanted));
        Instant judged = agent.wiring().health().report().at();
        assertThat(Duration.between(judged, clock.instant()).abs()).isLessThan(TestAgent.PATIENCE);
        // All of before are there still.
        for (int earlier = 0; earlier <= gpu; earlier++) {
          assertThat(shown(agent.wiring().health().report())).contains("xid_95 GPU " + earlier);
        }
      }
      // A GPU that hangs is found, and found to be well again, whatever the clock was set to.
      node.set("gpu.7.block.*", "forever");
      awaitFinding(agent, "gpu_hung GPU 7", true);
      clock.by = Duration.ofDays(-3);
      node.clear("gpu.7.block.*");
      awaitFinding(agent, "gpu_hung GPU 7", false);
    }
  }

  private static void awaitFinding(TestAgent agent, String finding, boolean there) {
    await()
        .atMost(TestAgent.PATIENCE)
        .until(() -> shown(agent.wiring().health().report()).contains(finding) == there);
  }

  @Test
  void theVerdictIsTheSame(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    SetClock clock = new SetClock();
    try (TestAgent agent =
        TestAgent.started(TestAgent.settings(node, "--cadence.fast=200ms"), clock, nvml -> nvml)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> agent.wiring().health().report().verdict() == Verdict.HEALTHY);
      Instant since = agent.wiring().health().report().since();
      for (Duration by : List.of(Duration.ofDays(1), Duration.ofDays(-1))) {
        clock.by = by;
        long judgements = agent.wiring().health().evaluations();
        await()
            .atMost(TestAgent.PATIENCE)
            .until(() -> agent.wiring().health().evaluations() > judgements + 5);
        assertThat(agent.wiring().health().report().verdict()).isEqualTo(Verdict.HEALTHY);
        assertThat(agent.wiring().health().report().findings()).extracting(Finding::rule).isEmpty();
        assertThat(agent.wiring().health().report().since()).isEqualTo(since);
      }
    }
  }
}
