package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.nvml.FakeGpu;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.GpmMetric;
import io.lapwing.nvml.GpmValues;
import io.lapwing.nvml.NvmlField;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GpuSourceTest {

  private final FakeNvml nvml = new FakeNvml(4);
  private final NvmlDriver driver = new NvmlDriver(() -> io.lapwing.collect.Reading.of(nvml));
  private final GpuRoster roster = new GpuRoster();
  private long nanos;

  GpuSourceTest() {
    driver.attach();
    for (int index = 0; index < 4; index++) {
      nvml.device(index).field(NvmlField.TOTAL_ENERGY.whole(), 1000.0 + index);
      nvml.device(index).field(NvmlField.POWER_AVERAGE.whole(), 500_000);
      nvml.device(index).answer("temperature", 40 + index);
    }
  }

  private Source source(int index, GpuSubject... subjects) {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    return new GpuSource(
        index, new GpuContext(driver, roster, Probe.VIEW, clock, () -> nanos), List.of(subjects));
  }

  private static Access round(Source source) {
    return source.begin(source.collectors());
  }

  private static List<String> page(Source source) {
    return source.collectors().stream().flatMap(run -> lines(run)).toList();
  }

  private static Stream<String> lines(Collector collector) {
    return RecordedSink.of(collector).lines().stream();
  }

  private static String up(Source source) {
    return source.up().map(series -> series.labels().toString()).orElse("unknown");
  }

  @Test
  void oneBatchServesAllSubjectsOfARound() {
    Source source =
        source(
            1,
            GpuOperation.power(),
            GpuOperation.temperature(),
            GpuErrors.ecc(),
            GpuErrors.remap());
    for (int round = 1; round <= 3; round++) {
      assertThat(round(source)).isEqualTo(Access.READY);
      assertThat(page(source)).isNotEmpty();
      assertThat(nvml.device(1).calls("fields")).isEqualTo(round);
    }
  }

  @Test
  void aGpuThatWasResetIsReadAgainForUnsupportedValues() {
    Source source = source(1, GpuErrors.ecc());
    round(source);
    assertThat(nvml.device(1).calls("uuid")).isEqualTo(1);

    nvml.device(1).field(NvmlField.TOTAL_ENERGY.whole(), 3.0);
    assertThat(round(source)).isEqualTo(Access.READY);
    assertThat(nvml.device(1).calls("uuid")).as("with a new handle").isEqualTo(2);

    round(source);
    assertThat(nvml.device(1).calls("uuid")).isEqualTo(2);
  }

  /** The driver came back with fewer GPUs: index 1 is another one. */
  @Test
  void nothingOfTheFormerGpuOfAnIndexGoesOnAsTheNext() {
    FakeGpu device = nvml.device(1);
    FieldKey sent = NvmlField.NVLINK_DATA_TX.allLinks();
    Map<GpmMetric, Reading<Double>> busy =
        new EnumMap<>(Map.of(GpmMetric.SM_ACTIVE, Reading.of(0.5)));
    device.answer("gpm", new GpmValues(10, busy)).answer("clockEventReasons", 4L);
    device.field(sent, 1000);
    Source source =
        source(1, new GpuProfiling(), new GpuThrottle(Duration.ofHours(1)), new GpuNvlink());
    round(source);
    page(source);
    nanos = 1_000_000_000;
    device.field(sent, 2000);
    round(source);
    assertThat(page(source))
        .anyMatch(
            line -> line.contains("lapwing_gpu_sm_active_seconds_total") && line.endsWith(" 10"))
        .anyMatch(line -> line.contains("TX_BANDWIDTH_TOTAL"))
        .anyMatch(line -> line.contains("EXP_CLOCK_EVENTS_COUNT") && line.endsWith(" 2"));

    device.answer("uuid", "GPU-other");
    driver.suspect("uninitialized");
    driver.attach();
    nanos = 2_000_000_000;
    device.field(sent, 90_000);
    round(source);

    assertThat(page(source))
        .allMatch(line -> line.contains("GPU-other"))
        .anyMatch(
            line -> line.contains("lapwing_gpu_sm_active_seconds_total") && line.endsWith(" 5"))
        .noneMatch(line -> line.contains("TX_BANDWIDTH_TOTAL"))
        .anyMatch(line -> line.contains("EXP_CLOCK_EVENTS_COUNT") && line.endsWith(" 1"));
  }

  @Test
  void identityIsReadOnce() {
    Source source = source(1, GpuOperation.power());
    for (int round = 0; round < 3; round++) {
      round(source);
    }
    for (String call : List.of("uuid", "name", "serial", "pciBusId", "minorNumber")) {
      assertThat(nvml.device(1).calls(call)).as(call).isEqualTo(1);
    }
  }

  @Test
  void samplesCarryTheLabelsOfTheirGpu() {
    Source source = source(2, GpuOperation.temperature());
    round(source);
    assertThat(page(source))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{gpu=\"2\",UUID=\"GPU-2\",pci_bus_id=\"\",device=\"nvidia2\","
                + "modelName=\"NVIDIA Fake\",Hostname=\"node-1\"} 42");
  }

  @Test
  void whetherItIsUpIsUnknownUntilItWasOpened() {
    Source source = source(3, GpuOperation.power());
    assertThat(source.up()).isEmpty();
    nvml.device(3).fails("gpu_is_lost");
    assertThat(round(source)).isInstanceOf(Access.Down.class);
    assertThat(source.up()).isEmpty();
    nvml.device(3).recover();
    round(source);
    assertThat(up(source)).isEqualTo("Labels[names=[gpu, UUID], values=[3, GPU-3]]");
  }

  @Test
  void aGpuLostAfterTwoReadsIsDownWithTheReasonAndReturns() {
    Source source = source(3, GpuOperation.power());
    nvml.device(3).lostAfter(2);
    assertThat(round(source)).isEqualTo(Access.READY);
    assertThat(round(source)).isEqualTo(Access.READY);
    assertThat(round(source))
        .isEqualTo(new Access.Down("gpu_is_lost", "gpu3 does not answer: gpu_is_lost"));
    assertThat(up(source)).contains("GPU-3");
    nvml.device(3).lostAfter(Integer.MAX_VALUE).recover();
    assertThat(round(source)).isEqualTo(Access.READY);
    assertThat(page(source)).anyMatch(line -> line.startsWith("DCGM_FI_DEV_POWER_USAGE"));
  }

  /** Subjects that read no field must not hide that the GPU is gone. */
  @Test
  void aLossIsNoticedEvenIfNoSubjectReadsAField() {
    Source source = source(3, GpuOperation.clocks());
    assertThat(round(source)).isEqualTo(Access.READY);
    nvml.device(3).fails("gpu_is_lost");
    assertThat(round(source)).isInstanceOf(Access.Down.class);
  }

  @Test
  void aReloadedDriverMeansANewHandle() {
    Source source = source(1, GpuOperation.power());
    round(source);
    nvml.versions("580.1", "13.580.1", "13.0");
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(round(source)).isEqualTo(Access.READY);
    assertThat(nvml.device(1).calls("uuid")).isEqualTo(2);
    assertThat(roster.at(1)).hasValueSatisfying(gpu -> assertThat(gpu.generation()).isEqualTo(2));
  }

  @Test
  void withoutTheDriverTheGpuIsDownAndTheDriverIsChecked() {
    Source source = source(1, GpuOperation.power());
    round(source);
    nvml.fails("uninitialized");
    nvml.device(1).fails("uninitialized");
    assertThat(round(source)).isInstanceOf(Access.Down.class);
    nvml.recover();
    nvml.device(1).recover();
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isEqualTo(1);
    assertThat(round(source)).isEqualTo(Access.READY);
  }

  @Test
  void withoutADriverAGpuIsDown() {
    NvmlDriver none = new NvmlDriver(() -> new io.lapwing.collect.Reading.Failed<>("x", "y"));
    Source source =
        new GpuSource(
            0,
            new GpuContext(none, roster, Probe.VIEW, InstantSource.system(), () -> 0),
            List.of());
    assertThat(round(source))
        .isEqualTo(new Access.Down("driver_not_loaded", "gpu0 does not answer: driver_not_loaded"));
  }

  @Test
  void afterAShiftOfIndexesTheUuidIdentifiesTheGpu() {
    Source third = source(2, GpuOperation.temperature());
    Source fourth = source(3, GpuOperation.temperature());
    round(third);
    round(fourth);
    nvml.unplug(2);
    nvml.versions("580.1", "13.580.1", "13.0");
    driver.attach();
    assertThat(round(third)).isEqualTo(Access.READY);
    assertThat(page(third)).singleElement().asString().contains("gpu=\"2\",UUID=\"GPU-3\"");
    assertThat(round(fourth))
        .isEqualTo(new Access.Down("invalid_argument", "gpu3 does not answer: invalid_argument"));
    assertThat(roster.gone(driver.gpuCount()))
        .extracting(gpu -> gpu.own().values())
        .containsExactly(List.of("2", "GPU-2"));
  }

  @Test
  void seriesKeepTheirLabelsObjectFromRoundToRound() {
    Source source =
        source(1, GpuOperation.temperature(), new GpuThrottle(java.time.Duration.ofMinutes(1)));
    nvml.device(1).answer("clockEventReasons", 4L);
    round(source);
    List<Object> before = labels(source);
    round(source);
    List<Object> after = labels(source);
    assertThat(before).isNotEmpty();
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isSameAs(before.get(i));
    }
  }

  private static List<Object> labels(Source source) {
    return source.collectors().stream()
        .flatMap(collector -> RecordedSink.of(collector).samples().stream())
        .<Object>map(RecordedSink.Sample::labels)
        .toList();
  }

  @Test
  void closingASourceClosesItsGpu() {
    Source source = source(1, GpuOperation.power());
    round(source);
    source.close();
    source.close();
    assertThat(nvml.device(1).calls("close")).isEqualTo(1);
    assertThat(page(source)).isEmpty();
  }
}
