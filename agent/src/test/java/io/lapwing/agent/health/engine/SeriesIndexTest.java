package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeriesIndexTest {

  private static final Labels GPU = Labels.of("gpu", "0", "UUID", "GPU-0");
  private static final Labels INSTANCE = GPU.with("GPU_I_PROFILE", "1g.10gb").with("GPU_I_ID", "7");

  private static Map<List<String>, Integer> places(Metric metric, Samples samples) {
    return SeriesIndex.of(List.of(samples), SeriesIndex.gpu("GPU-0"), Set.of(metric.name()))
        .family(metric)
        .places();
  }

  @Test
  void theValueOfAMigInstanceIsNotThatOfItsGpu() {
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(DcgmMetrics.FB_TOTAL, INSTANCE, 9856);
    buffer.add(DcgmMetrics.FB_TOTAL.unlisted(), GPU, 81559);
    buffer.add(MigMetrics.SM_ACTIVE_SECONDS, INSTANCE, 3);
    Samples samples = buffer.take();
    assertThat(places(DcgmMetrics.FB_TOTAL, samples)).isEqualTo(Map.of(List.of(), 1));
    assertThat(places(MigMetrics.SM_ACTIVE_SECONDS, samples)).isEmpty();
  }

  @Test
  void aSeriesOfAGpuIsFoundByTheLabelsAfterItsOwn() {
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(GpuMetrics.CLOCK_EVENT_ACTIVE, GPU.with("reason", "hw_thermal"), 1);
    buffer.add(
        GpuMetrics.CLOCK_EVENT_ACTIVE,
        Labels.of("gpu", "1", "UUID", "GPU-1", "reason", "hw_thermal"),
        1);
    assertThat(places(GpuMetrics.CLOCK_EVENT_ACTIVE, buffer.take()))
        .isEqualTo(Map.of(List.of("hw_thermal"), 0));
  }

  /** A field file adds labels to all families with DCGM's names. */
  @Test
  void aDcgmFamilyIsFoundByTheLabelsThatOnlyItHas() {
    Labels labels = GPU.with("Hostname", "node-1").with("DCGM_FI_DRIVER_VERSION", "580.95.05");
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(DcgmMetrics.GPU_TEMP, labels, 40);
    buffer.add(
        DcgmMetrics.EXP_GPU_HEALTH_STATUS.unlisted(),
        labels.with("health_error_code", "DCGM_FR_OK").with("health_watch", "MEM"),
        0);
    Samples samples = buffer.take();
    assertThat(places(DcgmMetrics.GPU_TEMP, samples)).isEqualTo(Map.of(List.of(), 0));
    assertThat(places(DcgmMetrics.EXP_GPU_HEALTH_STATUS, samples))
        .isEqualTo(Map.of(List.of("DCGM_FR_OK", "MEM"), 1));
  }
}
