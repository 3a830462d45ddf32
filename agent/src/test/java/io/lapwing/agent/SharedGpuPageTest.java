package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs that several jobs hold at once, by the whole agent. */
class SharedGpuPageTest {

  /** Only of GPUs that are shared. */
  static final Set<String> FAMILIES =
      Set.of(
          "lapwing_gpu_shared",
          "lapwing_gpu_holder_memory_used_bytes",
          "lapwing_gpu_holder_sm_utilization_ratio");

  private static final double MIB = 1 << 20;

  private SimulatedNode node;
  private Path mapping;
  private Path dir;

  @BeforeEach
  void create(@TempDir Path folder, @TempDir Path jobs) throws Exception {
    dir = folder;
    mapping = jobs;
    node = SimulatedNode.create(folder, InstanceType.named("p5.48xlarge").withoutEfa());
  }

  private void processOf(String job, int pid) throws Exception {
    Path cgroup = dir.resolve("proc/" + pid + "/cgroup");
    Files.createDirectories(cgroup.getParent());
    Files.writeString(
        cgroup, "0::/system.slice/slurmstepd.scope/job_" + job + "/step_0/user/task_0\n");
  }

  private TestAgent agent(String... flags) throws Exception {
    List<String> all = new ArrayList<>(List.of("--jobs.mapping-dir=" + mapping));
    all.addAll(List.of(flags));
    return TestAgent.quick(node, all.toArray(String[]::new));
  }

  private static Map<String, Double> byJob(TextPage page, String family) {
    return page.samples(family).stream()
        .filter(sample -> sample.label("gpu").equals("0"))
        .collect(
            Collectors.toMap(
                sample -> sample.label("job_id"), TextPage.Sample::value, Double::sum));
  }

  private static List<String> shared(TextPage page) {
    return page.samples("lapwing_gpu_shared").stream()
        .map(
            sample ->
                sample.label("gpu") + " " + sample.label("sharing") + " " + (int) sample.value())
        .toList();
  }

  /** One page: on a busy machine the values of the next may be too old. */
  private static TextPage pageOfHolders(TestAgent agent) {
    return await()
        .atMost(TestAgent.PATIENCE)
        .until(
            agent::page,
            page ->
                !shared(page).isEmpty()
                    && byJob(page, "lapwing_gpu_holder_memory_used_bytes").size() > 1);
  }

  @Test
  void twoJobsThatShareAGpuByTimeHaveTheirOwnPartsOfIt() throws Exception {
    node.set("gpu.0.utilization.gpu", "80");
    node.set("gpu.0.processes", "9001:1000*0.5 9002:3000*0.25");
    processOf("4711", 9001);
    processOf("4712", 9002);
    try (TestAgent agent = agent("--hpc-job-label")) {
      TextPage page = pageOfHolders(agent);
      assertThat(shared(page)).containsExactly("0 time_slicing 2");
      assertThat(byJob(page, "lapwing_gpu_holder_memory_used_bytes"))
          .containsExactlyInAnyOrderEntriesOf(Map.of("4711", 1000 * MIB, "4712", 3000 * MIB));
      assertThat(byJob(page, "lapwing_gpu_holder_sm_utilization_ratio"))
          .containsExactlyInAnyOrderEntriesOf(Map.of("4711", 0.4, "4712", 0.2));
      List<TextPage.Sample> power =
          page.samples("DCGM_FI_DEV_POWER_USAGE").stream()
              .filter(sample -> sample.label("gpu").equals("0"))
              .toList();
      assertThat(power).hasSize(1);
      assertThat(power.get(0).label("hpc_job")).isEmpty();
      assertThat(power.get(0).label("shared")).isEqualTo("true");
    }
  }

  @Test
  void clientsOfMpsHaveTheirMemoryAndTheServerIsNoHolder() throws Exception {
    node.set("gpu.0.processes", "9000:30+server 9001:1000+mps 9002:3000+mps");
    processOf("4711", 9001);
    processOf("4712", 9002);
    Files.writeString(dir.resolve("proc/9000/cgroup"), "0::/system.slice/nvidia-mps.service\n");
    try (TestAgent agent = agent()) {
      TextPage page = pageOfHolders(agent);
      assertThat(shared(page)).containsExactly("0 mps 2");
      assertThat(byJob(page, "lapwing_gpu_holder_memory_used_bytes"))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("4711", 1000 * MIB, "4712", 3000 * MIB, "", 30 * MIB));
      assertThat(page.samples("lapwing_gpu_holder_sm_utilization_ratio")).isEmpty();
      assertThat(byJob(page, "lapwing_gpu_job_info").keySet())
          .containsExactlyInAnyOrder("4711", "4712");
    }
  }

  private void divide() {
    node.set("gpu.0.gpm.sm_active", "80");
    node.set("gpu.0.gpm.sm_occupancy", "40");
    node.set("gpu.0.mig.mode", "1");
    node.set(
        "gpu.0.mig.instances",
        IntStream.range(0, 7)
            .mapToObj(i -> (3 + i) + ":1g.10gb@" + i)
            .collect(Collectors.joining(" ")));
  }

  @Test
  void anXidOfAMigInstanceIsNamedInTheFinding() throws Exception {
    divide();
    node.set("gpu.0.processes", "9001:100@5 9002:100@7");
    try (TestAgent agent = agent()) {
      agent.awaitListening();
      node.migXid(0, 7, 94);
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(agent.wiring().health().report().findings())
                      .filteredOn(finding -> finding.rule().equals("xid_94"))
                      .singleElement()
                      .extracting(finding -> finding.detection().what())
                      .asString()
                      .contains("MIG instance 7")
                      .contains("pid 9002")
                      .doesNotContain("9001"));
    }
  }

  private static Map<String, Double> byInstance(TextPage page, String family) {
    Map<String, Double> values = new TreeMap<>();
    page.samples(family).stream()
        .filter(sample -> sample.label("gpu").equals("0"))
        .forEach(sample -> values.put(sample.label("GPU_I_ID"), sample.value()));
    return values;
  }

  private static double of(Map<String, Double> byInstance, String id) {
    return Objects.requireNonNull(byInstance.get(id), id);
  }

  /** A family of the instances by job, each instance by its slices. */
  private static Map<String, Double> ofJobs(TextPage page, String family) {
    Map<String, Double> slices = byInstance(page, "lapwing_gpu_instance_slices_ratio");
    Map<String, Double> values = byInstance(page, family);
    return page.samples("lapwing_gpu_job_info").stream()
        .filter(row -> row.label("gpu").equals("0"))
        .collect(
            Collectors.toMap(
                row -> row.label("job_id"),
                row -> of(slices, row.label("GPU_I_ID")) * of(values, row.label("GPU_I_ID")),
                Double::sum));
  }

  @Test
  void sevenInstancesUnderTwoJobsAddUpToOneGpu() throws Exception {
    divide();
    for (int i = 3; i <= 9; i++) {
      Files.writeString(mapping.resolve("0." + i), i < 7 ? "4711\n" : "4712\n");
    }
    try (TestAgent agent = agent()) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(page.samples("lapwing_gpu_instance_allocated")).hasSize(7);
                assertThat(byInstance(page, "DCGM_FI_PROF_SM_OCCUPANCY")).hasSize(7);
              });
      TextPage page = agent.page();
      adds(ofJobs(page, "lapwing_gpu_instance_allocated"), 1);
      adds(ofJobs(page, "DCGM_FI_PROF_SM_ACTIVE"), 0.8);
      adds(ofJobs(page, "DCGM_FI_PROF_SM_OCCUPANCY"), 0.4);
      assertThat(page.samples("lapwing_gpu_shared")).isEmpty();
    }
  }

  private static void adds(Map<String, Double> byJob, double whole) {
    assertThat(byJob).containsOnlyKeys("4711", "4712");
    assertThat(byJob.get("4711")).isCloseTo(whole * 4 / 7, within(1e-3));
    assertThat(byJob.get("4712")).isCloseTo(whole * 3 / 7, within(1e-3));
  }
}
