package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Equivalent to dcgm-exporter's job mapping. */
class HolderLabelsTest {

  private static final Metric POWER = Metric.gauge("DCGM_FI_DEV_POWER_USAGE", "Power.");
  private static final Metric OWN = Metric.gauge("lapwing_gpu_up", "Up.");
  private static final Labels GPU0 = Labels.of("gpu", "0", "UUID", "GPU-0");
  private static final Labels GPU1 = Labels.of("gpu", "1", "UUID", "GPU-1");

  private Map<String, List<Labels>> jobs = Map.of();
  private final HolderLabels label = new HolderLabels("jobs", () -> jobs);
  private final SampleBuffer buffer = new SampleBuffer();
  private double value;

  private Samples round() {
    value++;
    buffer.add(POWER, GPU0, value);
    buffer.add(POWER, GPU1, 10 * value);
    buffer.add(OWN, GPU0, 1);
    return buffer.take();
  }

  private static List<Labels> jobs(String... ids) {
    return Arrays.stream(ids).map(id -> Labels.of("hpc_job", id)).toList();
  }

  private static List<String> page(List<Samples> samples) {
    PageBuffer page = new PageBuffer();
    new PageLayout.PageRenderer().render(samples, PageFormat.TEXT_0_0_4, page);
    return new String(page.toBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Test
  void withoutJobsTheSamplesAreUnchanged() {
    Samples samples = round();
    assertThat(label.apply(List.of(samples)).get(0)).isSameAs(samples);
  }

  @Test
  void theSeriesOfAGpuWithSeveralJobsStaysOneAndIsOfNone() {
    jobs = Map.of("GPU-0", jobs("1042", "1043"));
    assertThat(page(label.apply(List.of(round()))))
        .containsExactly(
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",shared=\"true\"} 1",
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"GPU-1\"} 10",
            "lapwing_gpu_up{gpu=\"0\",UUID=\"GPU-0\"} 1");
  }

  private static Labels container(String pod, String namespace) {
    return Labels.of("pod", pod, "namespace", namespace, "container", "main");
  }

  @Test
  void theSeriesOfAGpuWithSeveralPodsHasTheLabelsThatAllHave() {
    jobs = Map.of("GPU-0", List.of(container("a", "ml"), container("b", "ml")));
    assertThat(page(label.apply(List.of(round()))))
        .first()
        .isEqualTo(
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",namespace=\"ml\",container=\"main\",shared=\"true\"} 1");
  }

  @Test
  void aSeriesIsSaidToBeSharedOnce() {
    jobs = Map.of("GPU-0", jobs("1042", "1043"));
    assertThat(page(label.apply(label.apply(List.of(round())))))
        .first()
        .isEqualTo("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",shared=\"true\"} 1");
  }

  @Test
  void labelledSeriesFollowTheirSource() {
    jobs = Map.of("GPU-0", jobs("1042"));
    Samples first = label.apply(List.of(round())).get(0);
    Samples second = label.apply(List.of(round())).get(0);
    assertThat(second.series()).isSameAs(first.series());
    assertThat(first.value(0)).isEqualTo(1);
    assertThat(second.value(0)).isEqualTo(2);
    assertThat(second.listed()).isEqualTo(3);
  }

  @Test
  void whenTheJobEndsItsSeriesEnd() {
    jobs = Map.of("GPU-0", jobs("1042"));
    label.apply(List.of(round()));
    jobs = Map.of("GPU-1", jobs("1043"));
    assertThat(page(label.apply(List.of(round()))))
        .first()
        .isEqualTo("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\"} 2");
    jobs = Map.of();
    Samples samples = round();
    assertThat(label.apply(List.of(samples)).get(0)).isSameAs(samples);
  }

  @Test
  void aSeriesThatHasTheLabelKeepsIt() {
    jobs = Map.of("GPU-0", jobs("1042"));
    buffer.add(POWER, GPU0.with("hpc_job", "7"), 1);
    assertThat(page(label.apply(List.of(buffer.take()))))
        .hasSize(1)
        .first()
        .asString()
        .contains("7");
  }

  @Test
  void aContainerHasThreeLabelsBesideThoseOfAJob() {
    jobs = Map.of("GPU-0", List.of(Labels.of("pod", "w0", "namespace", "ml", "container", "main")));
    buffer.add(POWER, GPU0.with("hpc_job", "7"), 1);
    assertThat(page(label.apply(List.of(buffer.take()))))
        .containsExactly(
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",hpc_job=\"7\",pod=\"w0\",namespace=\"ml\",container=\"main\"} 1");
  }

  /** dcgm-exporter maps by the files {@code 0} and {@code 0.7}. */
  @Test
  void aMigInstanceHasItsOwnJobsAndElseThoseOfItsGpu() {
    jobs = Map.of("GPU-0", jobs("1042"), "GPU-0/7", jobs("1043"), "GPU-1/7", jobs("1044"));
    for (Labels gpu : List.of(GPU0, GPU1)) {
      buffer.add(POWER, gpu.with("GPU_I_ID", "7"), 1);
      buffer.add(POWER, gpu.with("GPU_I_ID", "8"), 1);
    }
    assertThat(page(label.apply(List.of(buffer.take()))))
        .containsExactly(
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",GPU_I_ID=\"7\",hpc_job=\"1043\"} 1",
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",GPU_I_ID=\"8\",hpc_job=\"1042\"} 1",
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"GPU-1\",GPU_I_ID=\"7\",hpc_job=\"1044\"} 1",
            "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"GPU-1\",GPU_I_ID=\"8\"} 1");
  }
}
