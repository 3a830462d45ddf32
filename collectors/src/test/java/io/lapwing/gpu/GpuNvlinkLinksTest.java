package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.StillNode;
import org.junit.jupiter.api.Test;

/** Sums over links of which one does not answer. */
class GpuNvlinkLinksTest {

  private static final Reading<Double> TIMEOUT = new Reading.Failed<>("field", "timeout");

  private final FakeNvml nvml = new FakeNvml(1);
  private final Probe probe;

  GpuNvlinkLinksTest() {
    StillNode.present(nvml.init());
    for (int link = 0; link < 4; link++) {
      nvml.device(0).field(NvmlField.NVLINK_STATE.link(link), 1);
      nvml.device(0).field(NvmlField.NVLINK_DL_CRC.link(link), 10);
    }
    probe = new Probe(new GpuNvlinkLinks(), StillNode.present(nvml.gpu(0)));
  }

  @Test
  void linksThatAreNotThereAreNotInTheSum() {
    RecordedSink sink = probe.at(0);
    assertThat(sink.value(GpuMetrics.NVLINKS_UP)).hasValue(4);
    assertThat(sink.value(DcgmMetrics.NVLINK_ERROR_DL_CRC)).hasValue(40);
    assertThat(sink.failures()).isEmpty();
  }

  @Test
  void aGpuWithMoreThan18LinksHasThemAll() {
    nvml.device(0).field(NvmlField.NVLINK_LINK_COUNT.whole(), 36);
    for (int link = 4; link < 36; link++) {
      nvml.device(0).field(NvmlField.NVLINK_STATE.link(link), 1);
      nvml.device(0).field(NvmlField.NVLINK_DL_CRC.link(link), 10);
    }
    RecordedSink sink = probe.at(0);
    assertThat(sink.value(GpuMetrics.NVLINKS_UP)).hasValue(36);
    assertThat(sink.value(DcgmMetrics.NVLINK_ERROR_DL_CRC)).hasValue(360);
    assertThat(sink.gpuLines()).contains("lapwing_gpu_nvlink_up{link=\"35\"} 1");

    nvml.device(0).field(NvmlField.NVLINK_LINK_COUNT.whole(), TIMEOUT);
    assertThat(probe.at(60).value(GpuMetrics.NVLINKS_UP)).hasValue(36);
  }

  @Test
  void withoutTheNumberOfLinksThereIsNoSumOverSomeOfThem() {
    nvml.device(0).field(NvmlField.NVLINK_LINK_COUNT.whole(), TIMEOUT);
    RecordedSink sink = probe.at(0);
    assertThat(sink.gpuLines()).isEmpty();
    assertThat(sink.failures()).containsExactly("field: timeout");
  }

  @Test
  void aGpuWith18LinksIsReadInOneBatch() {
    nvml.device(0).field(NvmlField.NVLINK_LINK_COUNT.whole(), 18);
    probe.at(0);
    assertThat(nvml.device(0).calls("fields")).isEqualTo(1);
  }

  @Test
  void aLinkThatFailsForAMomentMakesNoCounterGoDown() {
    nvml.device(0).field(NvmlField.NVLINK_DL_CRC.link(2), TIMEOUT);
    RecordedSink sink = probe.at(0);
    assertThat(sink.value(DcgmMetrics.NVLINK_ERROR_DL_CRC)).isEmpty();
    assertThat(sink.failures()).containsExactly("field: timeout");
    assertThat(sink.gpuLines())
        .contains("lapwing_gpu_nvlink_errors_total{link=\"3\",kind=\"dl_crc\"} 10");
  }

  @Test
  void aLinkWhoseStateIsNotKnownIsNotCountedAsDown() {
    nvml.device(0).field(NvmlField.NVLINK_STATE.link(2), TIMEOUT);
    RecordedSink sink = probe.at(0);
    assertThat(sink.value(GpuMetrics.NVLINKS_UP)).isEmpty();
    assertThat(sink.gpuLines())
        .contains("lapwing_gpu_nvlink_up{link=\"3\"} 1")
        .noneMatch(line -> line.startsWith("lapwing_gpu_nvlink_up{link=\"2\"}"));
  }
}
