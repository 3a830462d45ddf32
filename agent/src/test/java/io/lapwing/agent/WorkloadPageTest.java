package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.inference.InferenceMetrics;
import io.lapwing.jobs.JobMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.nccl.InspectorMetrics;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.simulator.EngineLoad;
import io.lapwing.simulator.EnginePage;
import io.lapwing.simulator.FakeEngine;
import io.lapwing.simulator.FakeRas;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.RasJob;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.training.TrainingMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node on which everything runs at once, read by the whole agent. */
class WorkloadPageTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** What no node of the golden pages has, since nothing runs there. */
  static final Set<String> FAMILIES =
      Stream.concat(
              MetricCatalogue.of(
                  JobMetrics.class,
                  TrainingMetrics.class,
                  InferenceMetrics.class,
                  NcclMetrics.class,
                  InspectorMetrics.class)
                  .metrics()
                  .stream(),
              Stream.of(HealthMetrics.TRAINING_LOST))
          .map(Metric::name)
          .filter(name -> !MigPageTest.FAMILIES.contains(name))
          .filter(name -> !SharedGpuPageTest.FAMILIES.contains(name))
          .collect(Collectors.toUnmodifiableSet());

  /** Steps of a tenth of a second, every other one with a checkpoint. */
  private static final Map<String, String> JOB =
      Map.of(
          "training.job", "4711",
          "training.compute", "0.05",
          "training.communication", "0.02",
          "training.checkpoint", "0.02",
          "training.checkpoint_every", "2");

  private static final String INSPECTOR =
      """
      nccl_bus_bandwidth_gbs{version="5.1",slurm_job_id="4711",node="node-1",gpu="GPU0",comm_name="dp",n_nodes="2",nranks="16",collective="AllReduce",message_size="4-5GB",algo_proto="RING_SIMPLE"} 341.5
      nccl_collective_exec_time_microseconds{version="5.1",slurm_job_id="4711",node="node-1",gpu="GPU0",comm_name="dp",n_nodes="2",nranks="16",collective="AllReduce",message_size="4-5GB",algo_proto="RING_SIMPLE"} 20311
      nccl_p2p_bus_bandwidth_gbs{version="5.1",slurm_job_id="4711",node="node-1",gpu="GPU0",comm_name="dp",n_nodes="2",nranks="16",p2p_operation="Send",message_size="1-2MB"} 40.25
      nccl_p2p_exec_time_microseconds{version="5.1",slurm_job_id="4711",node="node-1",gpu="GPU0",comm_name="dp",n_nodes="2",nranks="16",p2p_operation="Send",message_size="1-2MB"} 52.5
      """;

  private static Set<String> families(TestAgent agent) {
    return agent.page().families().stream()
        .map(TextPage.Family::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** NCCL Inspector names its file after the GPU. */
  private static void inspect(Path folder, TestAgent agent) throws Exception {
    await().atMost(PATIENCE).until(() -> families(agent).contains("lapwing_gpu_info"));
    String uuid = agent.page().samples("lapwing_gpu_info").get(0).label("UUID").replace("GPU-", "");
    Files.writeString(folder.resolve("nccl_inspector_metrics_" + uuid + ".prom"), INSPECTOR);
  }

  @Test
  void everyWorkloadMetricIsExposed(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), InstanceType.named("g6.xlarge"));
    node.setAll(JOB);
    Path inspector = Files.createDirectories(dir.resolve("inspector"));
    EngineLoad load = new EngineLoad(System.nanoTime());
    try (JobRun job = node.letJobRun();
        FakeEngine engine = FakeEngine.start(0, () -> EnginePage.of("vllm").text(load));
        FakeRas ras = FakeRas.start(0)) {
      await().atMost(PATIENCE).until(() -> !job.pids().isEmpty());
      ras.jobs(
          RasJob.of(2, 1)
              .host("10.0.0.0", "127.0.0.1")
              .pid(0, job.pids().get(0).intValue())
              .advance("AllReduce", 5)
              .missing(1, false));
      try (TestAgent agent =
          TestAgent.quick(
              node,
              "--inference.scrape=" + engine.uri(),
              "--nccl.ras=127.0.0.1:" + ras.port(),
              "--nccl.inspector-dir=" + inspector)) {
        inspect(inspector, agent);

        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> {
                  Set<String> missing = new TreeSet<>(FAMILIES);
                  missing.removeAll(families(agent));
                  assertThat(missing).isEmpty();
                });
      }
    }
  }
}
