package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A divided GPU through the simulated library. */
class GpuMigTest {

  private SimulatedNode node;
  private DividedGpu gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    node.set("gpu.0.gpm.sm_active", "60");
    node.set("gpu.0.mig.mode", "1");
    instances("3:4g.40gb@0*0.5 9:1g.10gb@6");
    gpu = new DividedGpu(node);
  }

  private void instances(String those) {
    node.set("gpu.0.mig.instances", those);
  }

  /** Of a family: the values of instances by id, and of the whole GPU under an empty one. */
  private static Map<String, Double> values(RecordedSink round, Metric family) {
    Map<String, Double> values = new TreeMap<>();
    for (RecordedSink.Sample sample : round.samples()) {
      if (sample.metric().name().equals(family.name()) && sample.metric().listed()) {
        int id = sample.labels().names().indexOf("GPU_I_ID");
        values.put(id < 0 ? "" : sample.labels().values().get(id), sample.value());
      }
    }
    return values;
  }

  @Test
  void anInstanceHasItsProfilePlacementSlicesAndMemory() {
    node.set("gpu.0.uuid", "GPU-00000000-0000-4000-8000-0000000000aa");
    node.set("gpu.0.processes", "4711:512@9");
    gpu = new DividedGpu(node);
    String own =
        "{gpu=\"0\",UUID=\"GPU-00000000-0000-4000-8000-0000000000aa\","
            + "GPU_I_PROFILE=\"1g.10gb\",GPU_I_ID=\"9\"";
    assertThat(gpu.at(0).lines())
        .contains(
            "lapwing_gpu_instance_info"
                + own
                + ",GPU_CI_ID=\"0\",mig_uuid=\"MIG-00000000-0000-5090-8000-0000000000aa\","
                + "placement=\"6:1\",gpu_slices=\"1\",compute_slices=\"1\"} 1",
            "lapwing_gpu_instance_slices_ratio" + own + "} 0.14285714285714",
            "lapwing_gpu_instance_multiprocessors" + own + "} 16",
            "lapwing_gpu_instance_memory_bytes" + own + "} 10334765056",
            "lapwing_gpu_instance_memory_used_bytes" + own + "} 536870912");
  }

  @Test
  void dcgmFamiliesHaveTheLabelsOfDcgmExporterInItsOrder() {
    gpu.at(0);
    RecordedSink.Sample sample =
        gpu.at(5).samples().stream()
            .filter(one -> one.metric().equals(DcgmMetrics.PROF_SM_ACTIVE))
            .findFirst()
            .orElseThrow();
    assertThat(sample.labels().names())
        .containsExactly(
            "gpu",
            "UUID",
            "pci_bus_id",
            "device",
            "modelName",
            "GPU_I_PROFILE",
            "GPU_I_ID",
            "Hostname");
  }

  @Test
  void activityIsThatOfEachInstanceAndLinksAreTheGpus() {
    gpu.at(0);
    RecordedSink round = gpu.at(5);
    assertThat(values(round, DcgmMetrics.PROF_SM_ACTIVE)).isEqualTo(Map.of("3", 0.3, "9", 0.6));
    assertThat(values(round, DcgmMetrics.PROF_PCIE_TX_BYTES)).containsOnlyKeys("");
    assertThat(values(round, DcgmMetrics.PROF_NVLINK_RX_BYTES)).containsOnlyKeys("");
    assertThat(values(round, DcgmMetrics.GPU_TEMP)).containsOnlyKeys("");
    assertThat(values(round, MigMetrics.SM_ACTIVE_SECONDS)).isEqualTo(Map.of("3", 1.5, "9", 3.0));
    assertThat(values(round, GpuMetrics.SM_ACTIVE_SECONDS)).containsOnlyKeys("");
  }

  /** Rules read the value of the whole GPU, which is not on the page. */
  @Test
  void aFamilyThatInstancesHaveIsNotExposedForTheWholeGpu() {
    gpu.at(0);
    RecordedSink round = gpu.at(5);
    for (Metric family :
        List.of(DcgmMetrics.PROF_SM_ACTIVE, DcgmMetrics.PROF_DRAM_ACTIVE, DcgmMetrics.FB_USED)) {
      assertThat(values(round, family)).containsOnlyKeys("3", "9");
      assertThat(round.samples())
          .anySatisfy(
              sample -> {
                assertThat(sample.metric()).isEqualTo(family.unlisted());
                assertThat(sample.labels().names()).doesNotContain("GPU_I_ID");
              });
    }
  }

  /** 589 MiB of the whole GPU, by slices of memory. */
  @Test
  void reservedMemoryIsThatOfEachInstance() {
    assertThat(values(gpu.at(0), DcgmMetrics.FB_RESERVED)).isEqualTo(Map.of("3", 294.0, "9", 73.0));
  }

  @Test
  void whereTheDriverHasNoActivityOfADividedGpuItsInstancesHave() {
    node.set("gpu.0.return.nvmlGpmSampleGet", "3");
    gpu.at(0);
    RecordedSink round = gpu.at(5);
    assertThat(round.failures()).isEmpty();
    assertThat(values(round, DcgmMetrics.PROF_SM_ACTIVE)).containsOnlyKeys("3", "9");
    assertThat(values(round, GpuMetrics.SM_ACTIVE_SECONDS)).isEmpty();
    assertThat(values(round, GpuMetrics.GPM_SUPPORTED)).isEqualTo(Map.of("", 1.0));
    assertThat(values(round, HostEngineMetrics.ACTIVITY_INFO)).isEmpty();
  }

  /** As the driver answers while instances are exchanged. */
  @Test
  void aDividedGpuStaysDividedWhileItsInstancesDoNotAnswer() {
    gpu.at(0);
    gpu.at(5);
    node.set("gpu.0.return.nvmlGpmMigSampleGet", "3");
    RecordedSink round = gpu.fastAt(10);
    assertThat(values(round, DcgmMetrics.PROF_SM_ACTIVE)).isEmpty();
    assertThat(values(round, DcgmMetrics.PROF_PCIE_TX_BYTES)).containsOnlyKeys("");
    assertThat(round.samples())
        .anyMatch(sample -> sample.metric().equals(DcgmMetrics.PROF_SM_ACTIVE.unlisted()));
  }

  @Test
  void instancesComeAndGoWhileTheAgentRuns() {
    gpu.at(0);
    assertThat(values(gpu.at(5), DcgmMetrics.PROF_SM_ACTIVE)).containsOnlyKeys("3", "9");

    instances("3:4g.40gb@0*0.5 10:2g.20gb@4");
    RecordedSink first = gpu.at(10);
    assertThat(first.failures()).isEmpty();
    assertThat(values(first, MigMetrics.SLICES)).containsOnlyKeys("3", "10");
    assertThat(values(first, DcgmMetrics.PROF_SM_ACTIVE)).isEmpty();
    assertThat(values(gpu.at(15), DcgmMetrics.PROF_SM_ACTIVE)).containsOnlyKeys("3", "10");

    node.set("gpu.0.mig.mode", "0");
    gpu.at(20);
    RecordedSink whole = gpu.at(25);
    assertThat(whole.failures()).isEmpty();
    assertThat(values(whole, MigMetrics.SLICES)).isEmpty();
    assertThat(values(whole, DcgmMetrics.PROF_SM_ACTIVE)).isEqualTo(Map.of("", 0.6));
    assertThat(values(whole, DcgmMetrics.FB_USED)).containsOnlyKeys("");
  }

  @Test
  void anInstanceThatVanishesBetweenTwoListsIsNoFailure() {
    gpu.at(0);
    gpu.at(5);
    instances("9:1g.10gb@6");
    RecordedSink round = gpu.fastAt(10);
    assertThat(round.failures()).isEmpty();
    assertThat(values(round, DcgmMetrics.PROF_SM_ACTIVE)).containsOnlyKeys("9");
    assertThat(values(round, MigMetrics.SM_ACTIVE_SECONDS)).isEqualTo(Map.of("9", 6.0));
  }

  @Test
  void anInstanceUnderTheSameLabelsGoesOnFromItsIntegral() {
    gpu.at(0);
    gpu.at(5);
    instances("");
    gpu.at(10);
    instances("9:1g.10gb@6");
    gpu.at(15);
    assertThat(values(gpu.at(20), MigMetrics.SM_ACTIVE_SECONDS)).isEqualTo(Map.of("9", 6.0));
  }

  @Test
  void seriesKeepTheirObjectsFromRoundToRound() {
    gpu.at(0);
    List<RecordedSink.Sample> one = gpu.at(5).samples();
    List<RecordedSink.Sample> other = gpu.at(10).samples();
    assertThat(other).hasSameSizeAs(one);
    for (int i = 0; i < one.size(); i++) {
      assertThat(other.get(i).metric()).isSameAs(one.get(i).metric());
      assertThat(other.get(i).labels()).isSameAs(one.get(i).labels());
    }
  }

  @Test
  void withoutMigOnlyTheModeIsRead() {
    node.set("gpu.0.mig.mode", "0");
    RecordedSink round = gpu.at(0);
    assertThat(round.lines()).noneMatch(line -> line.contains("gpu_instance"));
    node.set("gpu.0.return.nvmlDeviceGetMaxMigDeviceCount", "999");
    assertThat(gpu.at(5).failures()).isEmpty();
  }
}
