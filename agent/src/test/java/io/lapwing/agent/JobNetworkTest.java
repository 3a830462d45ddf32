package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.jobs.JobNetworkMetrics;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.PassingTime;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training job of two nodes on a simulated node, whose traffic goes over ENA. */
class JobNetworkTest {

  static final String FAMILY = JobNetworkMetrics.INFO.name();

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static SimulatedNode node(Path dir, String plugin) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p4d.24xlarge"));
    String busy = "1000000000 + 2000000000/s since " + Instant.now().getEpochSecond();
    node.setAll(
        Map.of(
            "training.job",
            "4711",
            "training.nodes",
            "2",
            "training.aws_ofi_nccl",
            plugin,
            "efa.*.load",
            "0",
            "ena.rx_bytes",
            busy,
            "ena.tx_bytes",
            busy));
    return node;
  }

  private static List<TextPage.Sample> processes(TestAgent agent) {
    return agent.page().families().stream().anyMatch(family -> family.name().equals(FAMILY))
        ? agent.page().samples(FAMILY)
        : List.of();
  }

  private static boolean areKnown(List<TextPage.Sample> processes) {
    return processes.size() == 8
        && processes.stream().noneMatch(process -> process.label("job_id").isEmpty());
  }

  @SuppressWarnings("try") // The counters increase while it is open.
  private static List<TextPage.Sample> awaitProcesses(SimulatedNode node) throws Exception {
    try (JobRun job = node.letJobRun();
        PassingTime time = node.letTimePass()) {
      await().atMost(PATIENCE).until(() -> !job.pids().isEmpty());
      try (TestAgent agent = TestAgent.quick(node)) {
        // A process whose files are not read yet has no job.
        return await().atMost(PATIENCE).until(() -> processes(agent), JobNetworkTest::areKnown);
      }
    }
  }

  @Test
  void eachRankWithoutThePluginIsOnThePage(@TempDir Path dir) throws Exception {
    assertThat(awaitProcesses(node(dir, "0")))
        .allSatisfy(
            process -> {
              assertThat(process.label("job_id")).isEqualTo("4711");
              assertThat(process.label("network")).isEqualTo("tcp");
              assertThat(process.label("missing")).isEqualTo("libnccl-net");
              assertThat(process.label("nodes")).isEqualTo("several");
              assertThat(process.label("settings")).isEqualTo("NCCL_DEBUG=WARN");
            });
  }

  @Test
  void ranksWithThePluginAreWell(@TempDir Path dir) throws Exception {
    assertThat(awaitProcesses(node(dir, "1")))
        .allSatisfy(process -> assertThat(process.label("network")).isEqualTo("efa"));
  }
}
