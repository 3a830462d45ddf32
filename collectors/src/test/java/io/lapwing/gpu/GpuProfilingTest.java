package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.GpmMetric;
import io.lapwing.nvml.GpmValues;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.StillNode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GpuProfilingTest {

  private final FakeNvml nvml = new FakeNvml(1);
  private final Probe probe;

  GpuProfilingTest() {
    StillNode.present(nvml.init());
    probe = new Probe(new GpuProfiling(), StillNode.present(nvml.gpu(0)));
  }

  private RecordedSink round(Reading<GpmValues> answer) {
    nvml.device(0).reading("gpm", answer);
    return probe.at(0);
  }

  private static Reading<GpmValues> average(double seconds, double every) {
    Map<GpmMetric, Reading<Double>> values = new EnumMap<>(GpmMetric.class);
    for (GpmMetric metric : GpmMetric.values()) {
      values.put(metric, Reading.of(every));
    }
    return Reading.of(new GpmValues(seconds, values));
  }

  @Test
  void beforeTheSecondSampleAllIntegralsAreZero() {
    assertThat(round(Reading.of(GpmValues.NONE)).gpuLines())
        .containsExactlyInAnyOrder(
            "lapwing_gpu_gpm_supported 1",
            "lapwing_gpu_sm_active_seconds_total 0",
            "lapwing_gpu_sm_occupancy_seconds_total 0",
            "lapwing_gpu_tensor_active_seconds_total 0",
            "lapwing_gpu_dram_active_seconds_total 0",
            "lapwing_gpu_pcie_tx_bytes_total 0",
            "lapwing_gpu_pcie_rx_bytes_total 0");
  }

  @Test
  void everyMetricHasItsFamily() {
    assertThat(round(average(5, 0.25)).gpuLines())
        .hasSize(GpmMetric.values().length + 7)
        .contains("DCGM_FI_PROF_SM_ACTIVE 0.25", "DCGM_FI_PROF_NVOFA0_ACTIVE 0.25")
        .contains("lapwing_gpu_sm_active_seconds_total 1.25");
  }

  @Test
  void eachMetricGoesToTheFamilyOfItsName() {
    Map<GpmMetric, Reading<Double>> values = new EnumMap<>(GpmMetric.class);
    for (GpmMetric metric : GpmMetric.values()) {
      values.put(metric, Reading.of((double) metric.id()));
    }
    assertThat(round(Reading.of(new GpmValues(1, values))).gpuLines())
        .contains(
            "DCGM_FI_PROF_GR_ENGINE_ACTIVE 1",
            "DCGM_FI_PROF_SM_ACTIVE 2",
            "DCGM_FI_PROF_SM_OCCUPANCY 3",
            "DCGM_FI_PROF_PIPE_INT_ACTIVE 4",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE 5",
            "DCGM_FI_PROF_PIPE_TENSOR_DFMA_ACTIVE 6",
            "DCGM_FI_PROF_PIPE_TENSOR_HMMA_ACTIVE 7",
            "DCGM_FI_PROF_PIPE_TENSOR_IMMA_ACTIVE 9",
            "DCGM_FI_PROF_DRAM_ACTIVE 10",
            "DCGM_FI_PROF_PIPE_FP64_ACTIVE 11",
            "DCGM_FI_PROF_PIPE_FP32_ACTIVE 12",
            "DCGM_FI_PROF_PIPE_FP16_ACTIVE 13",
            "DCGM_FI_PROF_PCIE_TX_BYTES 20",
            "DCGM_FI_PROF_PCIE_RX_BYTES 21",
            "DCGM_FI_PROF_NVDEC0_ACTIVE 30",
            "DCGM_FI_PROF_NVJPG0_ACTIVE 40",
            "DCGM_FI_PROF_NVOFA0_ACTIVE 50",
            "DCGM_FI_PROF_NVLINK_RX_BYTES 60",
            "DCGM_FI_PROF_NVLINK_TX_BYTES 61",
            "lapwing_gpu_sm_active_seconds_total 2",
            "lapwing_gpu_sm_occupancy_seconds_total 3",
            "lapwing_gpu_tensor_active_seconds_total 5",
            "lapwing_gpu_dram_active_seconds_total 10",
            "lapwing_gpu_pcie_tx_bytes_total 20",
            "lapwing_gpu_pcie_rx_bytes_total 21");
  }

  @Test
  void averagesThatAreReadAgainTooSoonStayAndAddNoTime() {
    round(average(5, 0.5));

    RecordedSink sink = round(average(0, 0.5));

    assertThat(sink.value(DcgmMetrics.PROF_SM_ACTIVE)).hasValue(0.5);
    assertThat(sink.value(GpuMetrics.SM_ACTIVE_SECONDS)).hasValue(2.5);
  }

  @Test
  void integralsSumTheRatioOverTime() {
    round(average(5, 0.5));
    round(average(10, 0.25));
    assertThat(round(Reading.of(GpmValues.NONE)).value(GpuMetrics.SM_ACTIVE_SECONDS)).hasValue(5.0);
  }

  @Test
  void aFailureCountsAndLeavesTheIntegralWhereItWas() {
    round(average(4, 0.5));
    RecordedSink failed = round(new Reading.Failed<>("nvmlGpmSampleGet", "gpu_is_lost"));
    assertThat(failed.failures()).containsExactly("nvmlGpmSampleGet: gpu_is_lost");
    assertThat(failed.gpuLines()).isEmpty();
    assertThat(round(average(4, 0.5)).value(GpuMetrics.SM_ACTIVE_SECONDS)).hasValue(4.0);
  }

  @Test
  void aMetricWithoutDataIsAFailureOfItsOwn() {
    Map<GpmMetric, Reading<Double>> values = new EnumMap<>(GpmMetric.class);
    values.put(GpmMetric.SM_ACTIVE, new Reading.Failed<>("GPM 2", "no_data"));
    values.put(GpmMetric.DRAM_ACTIVE, Reading.of(0.5));
    RecordedSink sink = round(Reading.of(new GpmValues(2, values)));
    assertThat(sink.failures()).containsExactly("GPM 2: no_data");
    assertThat(sink.value(DcgmMetrics.PROF_SM_ACTIVE)).isEmpty();
    assertThat(sink.value(GpuMetrics.SM_ACTIVE_SECONDS)).as("not idle").isEmpty();
    assertThat(sink.value(GpuMetrics.DRAM_ACTIVE_SECONDS)).hasValue(1);
  }

  @Test
  void withoutGpmOnlyItsAbsenceIsExposed() {
    assertThat(round(new Reading.Missing<>("nvmlGpmQueryDeviceSupport")).gpuLines())
        .containsExactly(
            "lapwing_gpu_gpm_supported 0",
            "lapwing_gpu_activity_info{source=\"none\",reason=\"dcgm_off\"} 1");
  }

  private static MigDevice device(int instance, String profile) {
    return new MigDevice(
        "MIG-" + instance,
        instance,
        0,
        profile,
        Optional.empty(),
        Optional.empty(),
        new Reading.Unsupported<>("memory"));
  }

  /** An A100 with MIG. */
  @Test
  void dcgmsActivityOfAnInstanceHasTheFamiliesAndLabelsOfGpm() {
    DcgmBoards boards = boards();
    MigBoard mig = new MigBoard();
    mig.put(
        "GPU-0",
        MigInstance.of(List.of(device(7, "1g.5gb"), device(2, "3g.20gb"))),
        OptionalInt.empty());
    Probe divided = new Probe(new GpuProfiling(boards, mig), StillNode.present(nvml.gpu(0)));
    nvml.device(0).reading("gpm", new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport"));
    divided.at(0);
    assertThat(boards.instances().needed()).containsExactly("GPU-0");

    Map<DcgmFieldId, Double> values = new EnumMap<>(DcgmFieldId.class);
    for (DcgmFieldId field : DcgmFieldId.values()) {
      values.put(field, 0.25);
    }
    Instant now = Instant.ofEpochSecond(StillNode.EPOCH);
    boards.instances().publish("GPU-0/7", values, 8, now);
    boards.instances().publish("GPU-0/9", values, 8, now);

    assertThat(divided.at(1).lines())
        .filteredOn(line -> line.contains("GPU_I_ID"))
        .as("12 ratios without what instances share, and 4 integrals, of the one that NVML has")
        .hasSize(12 + 4)
        .allMatch(line -> line.contains("GPU_I_PROFILE=\"1g.5gb\",GPU_I_ID=\"7\""))
        .anyMatch(line -> line.startsWith("DCGM_FI_PROF_SM_ACTIVE{") && line.endsWith(" 0.25"))
        .anyMatch(
            line ->
                line.startsWith("lapwing_gpu_instance_sm_active_seconds_total{")
                    && line.endsWith(" 2"))
        .noneMatch(line -> line.contains("BYTES"));

    mig.put("GPU-0", List.of(), OptionalInt.empty());
    assertThat(divided.at(2).lines()).noneMatch(line -> line.contains("GPU_I_ID"));
    assertThat(boards.instances().needed()).isEmpty();
  }

  /** The engine may say it of the one before for a while, under the same id. */
  @Test
  void anInstanceOfAnotherProfileHasNothingThatWasOfTheOneBefore() {
    DcgmBoards boards = boards();
    MigBoard mig = new MigBoard();
    mig.put("GPU-0", MigInstance.of(List.of(device(1, "4g.20gb"))), OptionalInt.empty());
    Probe divided = new Probe(new GpuProfiling(boards, mig), StillNode.present(nvml.gpu(0)));
    nvml.device(0).reading("gpm", new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport"));
    Map<DcgmFieldId, Double> values = Map.of(DcgmFieldId.PROF_SM_ACTIVE, 0.9);
    Instant start = Instant.ofEpochSecond(StillNode.EPOCH);
    boards.instances().publish("GPU-0/1", values, 8, start);
    assertThat(divided.at(1).lines()).anyMatch(line -> line.contains("4g.20gb"));

    mig.put("GPU-0", MigInstance.of(List.of(device(1, "3g.20gb"))), OptionalInt.empty());
    assertThat(divided.at(2).lines()).noneMatch(line -> line.contains("GPU_I_ID"));
    boards.instances().publish("GPU-0/1", values, 8, start.plusSeconds(5));
    assertThat(divided.at(6).lines()).noneMatch(line -> line.contains("GPU_I_ID"));
    boards.instances().publish("GPU-0/1", values, 8, start.plusSeconds(40));
    assertThat(divided.at(41).lines()).anyMatch(line -> line.contains("3g.20gb"));
  }

  /** An A100 with MIG: nothing of the GPU is that of an instance. */
  @Test
  void dcgmsActivityOfADividedGpuIsNotOnThePage() {
    DcgmBoards boards = boards();
    ActivityBoard board = boards.activity();
    MigBoard mig = new MigBoard();
    mig.put("GPU-0", MigInstance.of(List.of(device(7, "1g.5gb"))), OptionalInt.empty());
    Probe divided = new Probe(new GpuProfiling(boards, mig), StillNode.present(nvml.gpu(0)));
    nvml.device(0).reading("gpm", new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport"));
    Map<DcgmFieldId, Double> values = new EnumMap<>(DcgmFieldId.class);
    GpuProfiling.dcgmFields().forEach(field -> values.put(field, 0.25));
    board.available();
    board.publish("GPU-0", values, 8, Instant.ofEpochSecond(StillNode.EPOCH));

    RecordedSink round = divided.at(1);

    assertThat(round.samples().stream().filter(sample -> sample.metric().listed()))
        .extracting(sample -> sample.metric().name())
        .filteredOn(name -> name.startsWith("DCGM_FI_PROF_"))
        .containsExactlyInAnyOrder(
            "DCGM_FI_PROF_PCIE_TX_BYTES",
            "DCGM_FI_PROF_PCIE_RX_BYTES",
            "DCGM_FI_PROF_NVLINK_TX_BYTES",
            "DCGM_FI_PROF_NVLINK_RX_BYTES");
    assertThat(round.gpuLines())
        .contains("lapwing_gpu_sm_active_seconds_total 2")
        .noneMatch(line -> line.contains("GPU_I_ID"));
  }

  private static DcgmBoards boards() {
    return DcgmBoards.of(() -> Duration.ofSeconds(20), () -> Duration.ofMinutes(3));
  }

  @Test
  void withoutGpmTheFamiliesAreThoseOfDcgm() {
    DcgmBoards boards = boards();
    ActivityBoard board = boards.activity();
    Probe ofDcgm =
        new Probe(new GpuProfiling(boards, new MigBoard()), StillNode.present(nvml.gpu(0)));
    nvml.device(0).reading("gpm", new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport"));
    ofDcgm.at(0);
    assertThat(board.needed()).containsExactly("GPU-0");

    Map<DcgmFieldId, Double> values = new EnumMap<>(DcgmFieldId.class);
    GpuProfiling.dcgmFields().forEach(field -> values.put(field, 0.25));
    board.available();
    board.publish("GPU-0", values, 8, Instant.ofEpochSecond(StillNode.EPOCH));

    assertThat(ofDcgm.at(1).gpuLines())
        .hasSize(2 + 16 + 6)
        .contains(
            "lapwing_gpu_gpm_supported 0",
            "lapwing_gpu_activity_info{source=\"dcgm\",reason=\"\"} 1",
            "DCGM_FI_PROF_SM_ACTIVE 0.25",
            "DCGM_FI_PROF_NVLINK_RX_BYTES 0.25",
            "lapwing_gpu_sm_active_seconds_total 2",
            "lapwing_gpu_dram_active_seconds_total 2");
    assertThat(ofDcgm.at(30).gpuLines())
        .containsExactly(
            "lapwing_gpu_gpm_supported 0",
            "lapwing_gpu_activity_info{source=\"none\",reason=\"stale\"} 1");
  }
}
