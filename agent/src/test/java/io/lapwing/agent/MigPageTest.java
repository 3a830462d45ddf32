package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node with one GPU divided by MIG, and with jobs on its instances. */
class MigPageTest {

  /** Only of GPUs that are divided by MIG. */
  static final Set<String> FAMILIES =
      Set.of(
          "lapwing_gpu_instance_info",
          "lapwing_gpu_instance_slices_ratio",
          "lapwing_gpu_instance_multiprocessors",
          "lapwing_gpu_instance_memory_bytes",
          "lapwing_gpu_instance_memory_used_bytes",
          "lapwing_gpu_instance_sm_active_seconds_total",
          "lapwing_gpu_instance_sm_occupancy_seconds_total",
          "lapwing_gpu_instance_tensor_active_seconds_total",
          "lapwing_gpu_instance_dram_active_seconds_total",
          "lapwing_gpu_instance_allocated");

  private static final String SM_ACTIVE = "DCGM_FI_PROF_SM_ACTIVE";

  private static List<String> instances(TextPage page, String family) {
    return page.samples(family).stream()
        .filter(sample -> sample.label("gpu").equals("0"))
        .map(sample -> sample.label("GPU_I_ID") + sample.label("hpc_job"))
        .toList();
  }

  @Test
  void aDividedGpuHasItsInstancesAndTheirJobs(@TempDir Path dir, @TempDir Path jobs)
      throws Exception {
    Files.writeString(jobs.resolve("0.3"), "4711\n");
    Files.writeString(jobs.resolve("0.9"), "4712\n");
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge").withoutEfa());
    node.set("gpu.0.mig.mode", "1");
    node.set("gpu.0.mig.instances", "3:4g.40gb@0 9:1g.10gb@6");

    try (TestAgent agent = TestAgent.quick(node, "--jobs.mapping-dir=" + jobs, "--hpc-job-label")) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(names(page)).containsAll(FAMILIES);
                assertThat(instances(page, SM_ACTIVE)).containsExactly("34711", "94712");
              });

      TextPage page = agent.page();
      assertThat(page.samples(SM_ACTIVE)).hasSize(2 + 7);
      assertThat(instances(page, "DCGM_FI_DEV_FB_USED")).containsExactly("34711", "94712");
      assertThat(instances(page, "DCGM_FI_DEV_POWER_USAGE")).containsExactly("");
      assertThat(instances(page, "DCGM_FI_PROF_PCIE_TX_BYTES")).containsExactly("");
      assertThat(instances(page, "lapwing_gpu_instance_allocated")).containsExactly("3", "9");
      assertThat(page.samples("lapwing_gpu_sm_active_seconds_total")).hasSize(8);

      node.set("gpu.0.mig.mode", "0");
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(names(agent.page())).doesNotContainAnyElementsOf(FAMILIES);
                assertThat(instances(agent.page(), SM_ACTIVE)).containsExactly("");
              });
    }
  }

  @Test
  void aReadOfAnInstanceThatHangsCostsItsGpuOnly(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge").withoutEfa());
    node.set("gpu.0.mig.mode", "1");
    node.set("gpu.0.mig.instances", "3:4g.40gb@0 9:1g.10gb@6");
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitInstances(agent, "3", "9");

      node.set("gpu.0.block.nvmlGpmMigSampleGet", "forever");
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(page.value("lapwing_source_hung", "source", "gpu0")).contains(1.0);
                assertThat(page.value("lapwing_gpu_up", "gpu", "0")).contains(0.0);
                assertThat(instances(page, SM_ACTIVE)).isEmpty();
                assertThat(page.samples(SM_ACTIVE)).hasSize(7);
              });

      node.clear("gpu.0.block.nvmlGpmMigSampleGet");
      awaitInstances(agent, "3", "9");
    }
  }

  /** The rank on half of GPU 0 does as much as its siblings on whole GPUs. */
  @Test
  void theMfuOfARankIsOfItsInstance(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge").withoutEfa());
    node.set("gpu.0.mig.mode", "1");
    node.set("gpu.0.mig.instances", "3:4g.40gb@0 9:1g.10gb@6");
    node.setAll(Map.of("training.job", "4711", "training.compute", "0.05"));

    try (JobRun job = node.letJobRun()) {
      await().atMost(TestAgent.PATIENCE).until(() -> !job.pids().isEmpty());
      node.set("gpu.0.processes", job.pids().get(0) + ":8192@3");
      try (TestAgent agent = TestAgent.quick(node)) {
        await()
            .atMost(TestAgent.PATIENCE)
            .untilAsserted(
                () -> {
                  TextPage page = agent.page();
                  assertThat(page.samples("lapwing_training_info"))
                      .filteredOn(sample -> sample.label("gpu").equals("0"))
                      .extracting(sample -> sample.label("GPU_I_ID"))
                      .containsExactly("3");
                  assertThat(mfu(page, "0") / mfu(page, "1")).isCloseTo(7 / 4.0, within(0.3));
                });
      }
    }
  }

  private static double mfu(TextPage page, String gpu) {
    return page.value("lapwing_training_mfu_ratio", "gpu", gpu).orElse(Double.NaN);
  }

  private static void awaitInstances(TestAgent agent, String... ids) {
    await()
        .atMost(TestAgent.PATIENCE)
        .untilAsserted(() -> assertThat(instances(agent.page(), SM_ACTIVE)).containsExactly(ids));
  }

  private static Set<String> names(TextPage page) {
    return page.families().stream().map(TextPage.Family::name).collect(Collectors.toSet());
  }
}
