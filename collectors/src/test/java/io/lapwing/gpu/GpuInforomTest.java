package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.FakeGpu;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.StillNode;
import org.junit.jupiter.api.Test;

/** Asked rarely, shown always. */
class GpuInforomTest {

  private static final double HOUR = 3_600;

  private final FakeNvml nvml = new FakeNvml(1);
  private final FakeGpu gpu = nvml.device(0);
  private final GpuInforom subject = new GpuInforom();
  private final Probe probe;

  GpuInforomTest() {
    StillNode.present(nvml.init());
    valid(true);
    gpu.answer("inforomChecksum", 4_276_993_775L);
    probe = probe();
  }

  private void valid(boolean valid) {
    gpu.answer("inforomValid", valid);
  }

  private Probe probe() {
    return new Probe(subject, StillNode.present(nvml.gpu(0)));
  }

  private int calls() {
    return gpu.calls("inforomValid");
  }

  @Test
  void theFirstRoundReadsBoth() {
    assertThat(probe.at(0).gpuLines())
        .containsExactly(
            "DCGM_FI_DEV_INFOROM_CONFIG_VALID 1", "DCGM_FI_DEV_INFOROM_CONFIG_CHECK 4276993775");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void theResultIsExposedForAnHourWithoutAnotherCall() {
    probe.at(0);
    valid(false);
    for (int minute = 1; minute < 60; minute++) {
      assertThat(probe.at(minute * 60).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(1);
    }
    assertThat(calls()).isEqualTo(1);
    assertThat(gpu.calls("inforomChecksum")).isEqualTo(1);

    assertThat(probe.at(HOUR).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(0);
    assertThat(probe.at(HOUR + 60).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(0);
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void aReopenedGpuIsReadAgain() {
    valid(false);
    probe.at(0);
    valid(true);
    assertThat(probe().at(60).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(1);
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void aGpuThatWasResetIsReadAgain() {
    valid(false);
    gpu.field(NvmlField.TOTAL_ENERGY.whole(), 5_000);
    probe.at(0);
    gpu.field(NvmlField.TOTAL_ENERGY.whole(), 9_000);
    probe.at(60);
    assertThat(calls()).isEqualTo(1);

    valid(true);
    gpu.field(NvmlField.TOTAL_ENERGY.whole(), 200);
    assertThat(probe.at(120).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(1);
    assertThat(probe.at(180).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(1);
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void aClockSetBackDelaysNoCall() {
    probe.at(10 * HOUR);
    valid(false);
    assertThat(probe.at(HOUR).value(DcgmMetrics.INFOROM_CONFIG_VALID)).hasValue(0);
  }

  @Test
  void aFailureCountsOnceAndShowsNothingOld() {
    probe.at(0);
    gpu.reading("inforomValid", new Reading.Failed<>("nvmlDeviceValidateInforom", "timeout"));
    RecordedSink failed = probe.at(HOUR);
    assertThat(failed.value(DcgmMetrics.INFOROM_CONFIG_VALID)).isEmpty();
    assertThat(failed.failures()).containsExactly("nvmlDeviceValidateInforom: timeout");

    RecordedSink later = probe.at(HOUR + 60);
    assertThat(later.value(DcgmMetrics.INFOROM_CONFIG_VALID)).isEmpty();
    assertThat(later.failures()).isEmpty();
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void aGpuWithoutInforomHasNoSamples() {
    Reading<Object> none = new Reading.Unsupported<>("nvmlDeviceValidateInforom");
    gpu.reading("inforomValid", none).reading("inforomChecksum", none);
    RecordedSink sink = probe.at(0);
    assertThat(sink.gpuLines()).isEmpty();
    assertThat(sink.failures()).isEmpty();
  }
}
