package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesIndexTest {

  private static final Labels GPU = Labels.of("gpu", "0", "UUID", "GPU-0");
  private static final Labels INSTANCE = GPU.with("GPU_I_PROFILE", "1g.10gb").with("GPU_I_ID", "7");

  private static final SeriesIndex.Owner OWNER = SeriesIndex.gpu("GPU-0");

  private static Map<List<String>, Double> values(Metric metric, Samples samples) {
    Map<List<String>, Double> values = new HashMap<>();
    SeriesIndex.of(List.of(samples), OWNER, Set.of(metric.name()), null)
        .family(metric)
        .each(samples, values::put);
    return values;
  }

  @Test
  void theValueOfAMigInstanceIsNotThatOfItsGpu() {
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(DcgmMetrics.FB_TOTAL, INSTANCE, 9856);
    buffer.add(DcgmMetrics.FB_TOTAL.unlisted(), GPU, 81559);
    buffer.add(MigMetrics.SM_ACTIVE_SECONDS, INSTANCE, 3);
    Samples samples = buffer.take();
    assertThat(values(DcgmMetrics.FB_TOTAL, samples)).isEqualTo(Map.of(List.of(), 81559.0));
    assertThat(values(MigMetrics.SM_ACTIVE_SECONDS, samples)).isEmpty();
  }

  @Test
  void aSeriesOfAGpuIsFoundByTheLabelsAfterItsOwn() {
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(GpuMetrics.CLOCK_EVENT_ACTIVE, GPU.with("reason", "hw_thermal"), 1);
    buffer.add(
        GpuMetrics.CLOCK_EVENT_ACTIVE,
        Labels.of("gpu", "1", "UUID", "GPU-1", "reason", "hw_thermal"),
        1);
    assertThat(values(GpuMetrics.CLOCK_EVENT_ACTIVE, buffer.take()))
        .isEqualTo(Map.of(List.of("hw_thermal"), 1.0));
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
    assertThat(values(DcgmMetrics.GPU_TEMP, samples)).isEqualTo(Map.of(List.of(), 40.0));
    assertThat(values(DcgmMetrics.EXP_GPU_HEALTH_STATUS, samples))
        .isEqualTo(Map.of(List.of("DCGM_FR_OK", "MEM"), 0.0));
  }

  /** Whoever keeps values by their labels finds them without comparing the text. */
  @Test
  void theLabelsOfASeriesAreTheSameObjectInTheNextIndex() {
    Metric metric = GpuMetrics.CLOCK_EVENT_ACTIVE;
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(metric, GPU.with("reason", "hw_thermal"), 1);
    SeriesIndex first = index(buffer.take(), null);
    buffer.add(metric, GPU.with("reason", "sw_power"), 1);
    buffer.add(metric, GPU.with("reason", "hw_thermal"), 1);
    Samples later = buffer.take();

    List<List<String>> labels = new ArrayList<>();
    index(later, first).family(metric).each(later, (some, value) -> labels.add(some));
    assertThat(labels).containsExactly(List.of("sw_power"), List.of("hw_thermal"));
    first.family(metric).each(later, (some, value) -> assertThat(labels.get(1)).isSameAs(some));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 9, 30})
  void everySeriesOfAFamilyHasItsPlaceAndOfEqualOnesTheFirst(int count) {
    SampleBuffer buffer = new SampleBuffer();
    for (int i = 0; i < count; i++) {
      buffer.add(GpuMetrics.CLOCK_EVENT_ACTIVE, GPU.with("reason", "r" + i), i);
      buffer.add(GpuMetrics.CLOCK_EVENT_ACTIVE, GPU.with("reason", "r" + i), -1);
    }
    Samples samples = buffer.take();
    SeriesIndex.Family family = index(samples, null).family(GpuMetrics.CLOCK_EVENT_ACTIVE);
    for (int i = 0; i < count; i++) {
      assertThat(family.at(List.of("r" + i))).isEqualTo(2 * i);
    }
    assertThat(family.at(List.of("r" + count))).isNull();
    assertThat(values(GpuMetrics.CLOCK_EVENT_ACTIVE, samples))
        .hasSize(count)
        .containsEntry(List.of("r" + (count - 1)), count - 1.0);
  }

  private static SeriesIndex index(Samples samples, @Nullable SeriesIndex before) {
    return SeriesIndex.of(
        List.of(samples), OWNER, Set.of(GpuMetrics.CLOCK_EVENT_ACTIVE.name()), before);
  }
}
