package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.RecordedSink.Sample;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.DividedGpu;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.jobs.JobsSource.JobBoard;
import io.lapwing.kubelet.PodResources;
import io.lapwing.kubelet.PodResources.Device;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seven MIG instances of one GPU under two jobs: what the page has of them adds up to one GPU. */
class SharedGpuTest {

  private static final List<String> OF_4711 = List.of("3", "4", "5", "6");
  private static final List<String> OF_4712 = List.of("7", "8", "9");

  private SimulatedNode simulated;
  private DividedGpu gpu;
  private JobNode jobs;

  @BeforeEach
  void divideTheGpu(@TempDir Path dir, @TempDir Path files) {
    simulated = StillNode.p5(dir);
    simulated.set("gpu.0.gpm.sm_active", "80");
    simulated.set("gpu.0.gpm.sm_occupancy", "40");
    simulated.set("gpu.0.mig.mode", "1");
    simulated.set(
        "gpu.0.mig.instances",
        "3:1g.10gb@0 4:1g.10gb@1 5:1g.10gb@2 6:1g.10gb@3"
            + " 7:1g.10gb@4*0.5 8:1g.10gb@5*0.25 9:1g.10gb@6*0");
    gpu = new DividedGpu(simulated);
    gpu.at(0);
    jobs = new JobNode(files).having(gpu.gpus().get(0));
    OF_4711.forEach(id -> jobs.write("mapping/0." + id, "4711\n"));
    OF_4712.forEach(id -> jobs.write("mapping/0." + id, "4712\n"));
  }

  /** Of a family that is on the page: the values by instance, under "" for the whole GPU. */
  private static Map<String, Double> values(RecordedSink round, Metric family) {
    Map<String, Double> values = new TreeMap<>();
    for (Sample sample : round.samples()) {
      if (sample.metric().name().equals(family.name()) && sample.metric().listed()) {
        values.merge(label(sample, "GPU_I_ID"), sample.value(), Double::sum);
      }
    }
    return values;
  }

  private static String label(Sample sample, String name) {
    int at = sample.labels().names().indexOf(name);
    return at < 0 ? "" : sample.labels().values().get(at);
  }

  /** {@code sum (family * on (UUID, GPU_I_ID) lapwing_gpu_instance_slices_ratio)}. */
  private static double weighted(Map<String, Double> values, Map<String, Double> slices) {
    return values.entrySet().stream()
        .mapToDouble(one -> one.getValue() * slices.getOrDefault(one.getKey(), 0.0))
        .sum();
  }

  /** Slices by job, as a join of {@code lapwing_gpu_job_info} on the id has them. */
  private static Map<String, Double> byJob(
      RecordedSink owners, Map<String, Double> values, Map<String, Double> slices) {
    Map<String, Double> byJob = new HashMap<>();
    for (Sample row : owners.samples()) {
      if (row.metric().equals(JobMetrics.JOB_INFO)) {
        String id = label(row, "GPU_I_ID");
        double share = slices.getOrDefault(id, 0.0) * values.getOrDefault(id, 0.0);
        byJob.merge(label(row, "job_id"), share, Double::sum);
      }
    }
    return byJob;
  }

  @Test
  void allocationOccupancyAndActivityAddUpToOneGpu() {
    gpu.at(5);
    RecordedSink round = gpu.at(10);
    RecordedSink owners = jobs.round();
    Map<String, Double> slices = values(round, MigMetrics.SLICES);
    assertThat(slices).containsOnlyKeys("3", "4", "5", "6", "7", "8", "9");
    assertThat(slices.values().stream().mapToDouble(Double::doubleValue).sum())
        .isCloseTo(1, within(1e-9));

    Map<String, Double> allocated = values(owners, JobMetrics.INSTANCE_ALLOCATED);
    assertThat(weighted(allocated, slices)).isCloseTo(1, within(1e-9));
    Map<String, Double> shares = byJob(owners, allocated, slices);
    assertThat(shares).containsOnlyKeys("4711", "4712");
    assertThat(shares.get("4711")).isCloseTo(4 / 7.0, within(1e-9));
    assertThat(shares.get("4712")).isCloseTo(3 / 7.0, within(1e-9));

    Map<String, Double> active = values(round, DcgmMetrics.PROF_SM_ACTIVE);
    Map<String, Double> used = byJob(owners, active, slices);
    assertThat(used.get("4711")).isCloseTo(0.8 * 4 / 7, within(1e-6));
    assertThat(used.get("4712")).isCloseTo(0.8 * 0.75 / 7, within(1e-6));
    double activity = 0.8 * 4.75 / 7;
    assertThat(weighted(active, slices)).isCloseTo(activity, within(1e-6));
    assertThat(weighted(values(round, DcgmMetrics.PROF_SM_OCCUPANCY), slices))
        .isCloseTo(activity / 2, within(1e-6));
    assertThat(weighted(values(round, MigMetrics.SM_ACTIVE_SECONDS), slices))
        .isCloseTo(10 * activity, within(1e-4));
    assertThat(values(round, GpuMetrics.SM_ACTIVE_SECONDS).get(""))
        .isCloseTo(10 * activity, within(1e-4));
  }

  @Test
  void instancesThatNoJobHasAreFree() {
    OF_4712.forEach(id -> jobs.remove("mapping/0." + id));
    RecordedSink owners = jobs.round();
    Map<String, Double> allocated = values(owners, JobMetrics.INSTANCE_ALLOCATED);
    assertThat(allocated).containsEntry("3", 1.0).containsEntry("7", 0.0).hasSize(7);
    assertThat(JobNode.allocated(owners)).containsExactly("0=1");
  }

  @Test
  void aFileOfAnInstanceThatIsNotThereIsUnknown() {
    jobs.write("mapping/0.2", "4799\n");
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners)).hasSize(7).noneMatch(row -> row.contains("4799"));
    assertThat(JobNode.reasons(owners)).containsExactly("unknown_gpu");
  }

  @Test
  void aJobWithTheWholeGpuHasAllInstances() {
    OF_4711.forEach(id -> jobs.remove("mapping/0." + id));
    OF_4712.forEach(id -> jobs.remove("mapping/0." + id));
    jobs.write("mapping/0", "4713\n");
    assertThat(values(jobs.round(), JobMetrics.INSTANCE_ALLOCATED).values())
        .hasSize(7)
        .containsOnly(1.0);
  }

  @Test
  void aPodHasTheInstanceOfItsMigDevice() {
    jobs.remove("mapping");
    String device = deviceOf(gpu.gpus().get(0), 5);
    jobs.kubelet(new Device("ml", "notebook-0", "jupyter", "nvidia.com/mig-1g.10gb", device));
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners))
        .containsExactly("0 pod=notebook-0 namespace=ml container=jupyter GPU_I_ID=5");
    assertThat(owners.failures()).isEmpty();
    assertThat(values(owners, JobMetrics.INSTANCE_ALLOCATED))
        .containsEntry("5", 1.0)
        .containsEntry("3", 0.0);
  }

  private static String deviceOf(JobGpus.Gpu gpu, int instance) {
    return gpu.slices().entrySet().stream()
        .filter(one -> one.getValue() == instance)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static Device claim(String name) {
    return new Device("ml", name, "main", "gpu.nvidia.com", name);
  }

  @Test
  void aPodHasTheInstanceThatItsClaimNames() {
    jobs.remove("mapping");
    jobs.kubelet(claim("gpu-0-mig-1g10gb-19-2"), claim("gpu-0-mig-1g10gb-19-6"));
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners))
        .containsExactly(
            "0 pod=gpu-0-mig-1g10gb-19-2 namespace=ml container=main GPU_I_ID=5",
            "0 pod=gpu-0-mig-1g10gb-19-6 namespace=ml container=main GPU_I_ID=9");
    assertThat(owners.failures()).isEmpty();
    assertThat(values(owners, JobMetrics.INSTANCE_ALLOCATED)).containsEntry("3", 0.0);
  }

  @Test
  void aClaimOfMigHasTheLabelsOfDcgmExporter() {
    jobs.remove("mapping");
    String device = "gpu-0-mig-1g10gb-19-2";
    PodResources.Claim claim =
        new PodResources.Claim("small", "ml", "gpu.nvidia.com", "node-1", device);
    jobs.kubelet(new Device("ml", "a", "main", "gpu.nvidia.com", device, claim)).round();
    JobGpus.Gpu known = gpu.gpus().get(0);
    String uuid = deviceOf(known, 5);
    assertThat(jobs.board().pods().get(JobBoard.place(known.uuid(), "5")))
        .containsExactly(
            Labels.of("container", "main", "namespace", "ml", "pod", "a")
                .with("dra_claim_name", "small")
                .with("dra_claim_namespace", "ml")
                .with("dra_driver_name", "gpu.nvidia.com")
                .with("dra_pool_name", "node-1")
                .with("dra_device_name", device)
                .with("dra_mig_profile", "1g.10gb")
                .with("dra_mig_device_uuid", uuid));
  }

  /** Minor number 3 here is the GPU with index 0. */
  @Test
  void aClaimOfMigCountsByTheMinorNumber() {
    jobs.remove("mapping");
    JobGpus.Gpu known = gpu.gpus().get(0);
    jobs.having(
        new JobGpus.Gpu(0, "3", known.uuid(), known.slices(), known.instances()),
        new JobGpus.Gpu(3, "0", "GPU-other", Map.of()));
    jobs.kubelet(claim("gpu-3-mig-1g10gb-19-0"), claim("gpu-0-mig-1g10gb-19-0"));
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners))
        .containsExactly("0 pod=gpu-3-mig-1g10gb-19-0 namespace=ml container=main GPU_I_ID=3");
    assertThat(JobNode.reasons(owners)).containsExactly("unknown_gpu");
  }

  @Test
  void aClaimOfAnInstanceThatIsNotThereIsUnknown() {
    jobs.remove("mapping");
    jobs.kubelet(claim("gpu-0-mig-2g20gb-14-0"), claim("gpu-0-mig-1g10gb-19-7"));
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners)).isEmpty();
    assertThat(JobNode.reasons(owners)).containsExactly("unknown_gpu", "unknown_gpu");
  }

  @Test
  void withoutPlacementsAClaimIsKnownByAProfileThatOneInstanceHas() {
    jobs.remove("mapping");
    String uuid = gpu.gpus().get(0).uuid();
    jobs.having(
        new JobGpus.Gpu(
            0,
            "0",
            uuid,
            Map.of(),
            List.of(
                new JobGpus.Instance(1, "3g.40gb", OptionalInt.empty()),
                new JobGpus.Instance(7, "1g.10gb", OptionalInt.empty()),
                new JobGpus.Instance(8, "1g.10gb", OptionalInt.empty()),
                new JobGpus.Instance(9, "1g.10gb+me", OptionalInt.empty()))));
    jobs.kubelet(
        claim("gpu-0-mig-3g40gb-9-4"),
        claim("gpu-0-mig-1g10gb-me-20-2"),
        claim("gpu-0-mig-1g10gb-19-0"));
    RecordedSink owners = jobs.round();
    assertThat(JobNode.rows(owners))
        .containsExactly(
            "0 pod=gpu-0-mig-3g40gb-9-4 namespace=ml container=main GPU_I_ID=1",
            "0 pod=gpu-0-mig-1g10gb-me-20-2 namespace=ml container=main GPU_I_ID=9");
    assertThat(JobNode.reasons(owners)).containsExactly("unknown_gpu");
  }

  @Test
  void aProcessOccupiesItsInstanceOnly() {
    jobs.remove("mapping").folder("mapping");
    simulated.set("gpu.0.processes", "4711:512@8");
    gpu.at(60);
    jobs.occupant(gpu.gpus().get(0).uuid(), 99, OptionalInt.of(8));
    assertThat(values(jobs.round(), JobMetrics.INSTANCE_ALLOCATED))
        .containsEntry("8", 1.0)
        .containsEntry("7", 0.0);
    assertThat(gpu.occupants(gpu.gpus().get(0).uuid()).orElseThrow())
        .singleElement()
        .satisfies(one -> assertThat(one.pid()).isEqualTo(4711))
        .satisfies(one -> assertThat(one.instance()).hasValue(8));
  }

  @Test
  void eachPlaceHasTheJobsOfItsInstanceForLabels() {
    jobs.round();
    String uuid = gpu.gpus().get(0).uuid();
    assertThat(jobs.board().jobs())
        .hasSize(7)
        .containsEntry(uuid + "/3", List.of(Labels.of("hpc_job", "4711")))
        .containsEntry(uuid + "/9", List.of(Labels.of("hpc_job", "4712")));
  }
}
