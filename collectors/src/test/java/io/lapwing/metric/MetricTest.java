package io.lapwing.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lapwing.collect.CollectMetrics;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.node.NodeMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {

  private static final MetricCatalogue ALL =
      MetricCatalogue.of(
          CollectMetrics.class, GpuMetrics.class, DcgmMetrics.class, NodeMetrics.class);

  @ParameterizedTest
  @ValueSource(strings = {"", "1abc", "a-b", "a b", "grün", "a{b}", "a\n", "a:b"})
  void aNameIsLettersDigitsAndUnderscores(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.gauge(name, "help"))
        .withMessageContaining(name);
  }

  @Test
  void isEqualToOneWithTheSameParts() {
    Metric one = Metric.gauge("a", "help", "x");

    assertThat(Metric.gauge("a", "help", "x")).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(one)
        .isNotEqualTo(one.named("b", "help"))
        .isNotEqualTo(one.named("a", "other"))
        .isNotEqualTo(Metric.counter("a", "help", "x"))
        .isNotEqualTo(Metric.gauge("a", "help", "y"))
        .isNotEqualTo(one.unlisted())
        .isNotEqualTo(one.asDetail(Metric.Detail.MOST));
    Metric buckets = Metric.histogram("h", "help");
    assertThat(buckets.sum()).isNotEqualTo(buckets.count());
  }

  @Test
  void ourOwnCountersAndOnlyTheyEndInTotal() {
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.counter("lapwing_x", "help"));
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("lapwing_x_total", "help"));
    assertThat(Metric.counter("lapwing_x_total", "help").foreign()).isFalse();
    assertThat(Metric.counter("DCGM_FI_X", "help").foreign()).isTrue();
    assertThat(Metric.gauge("DCGM_FI_X_TOTAL", "help").type().text()).isEqualTo("gauge");
    assertThat(MetricType.COUNTER.text()).isEqualTo("counter");
  }

  @Test
  void aHistogramIsOneFamilyOfBucketsAndTheirCount() {
    Metric buckets = Metric.histogram("lapwing_x_pages", "help", "fs");
    assertThat(buckets.labels()).containsExactly("fs", "le");
    assertThat(buckets.sampleName()).isEqualTo("lapwing_x_pages_bucket");
    assertThat(buckets.count().labels()).containsExactly("fs");
    assertThat(buckets.count().sampleName()).isEqualTo("lapwing_x_pages_count");
    assertThat(buckets.count().name()).isEqualTo(buckets.name());
    assertThat(buckets.type().text()).isEqualTo("histogram");
    assertThatIllegalStateException()
        .isThrownBy(() -> Metric.gauge("lapwing_x", "help").count())
        .withMessage("lapwing_x is not a histogram");
  }

  @Test
  void aFamilyHasAHelp() {
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("a", " "));
  }

  @Test
  void everyFamilyIsDeclaredOnceAndNamesItsSource() {
    assertThat(ALL.metrics()).hasSizeGreaterThan(150);
    assertThat(ALL.metrics().stream().filter(metric -> !metric.name().contains("build_info")))
        .allSatisfy(metric -> assertThat(metric.help()).endsWith("."));
    assertThat(MetricCatalogue.of(DcgmMetrics.class, GpuMetrics.class).metrics())
        .allSatisfy(metric -> assertThat(metric.help()).matches("(?s).*\\(.*\\)\\."));
  }

  @Test
  void ourOwnNamesAreLowerCaseWithoutForeignUnits() {
    assertThat(ALL.metrics().stream().filter(metric -> !metric.foreign()).map(Metric::name))
        .allMatch(name -> name.matches("lapwing(_[a-z0-9]+)+"))
        .noneMatch(name -> name.matches(".*_(ms|millis|mb|mib|kb|percent)(_.*)?"));
  }

  @Test
  void aFamilyDeclaredTwiceIsABug() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MetricCatalogue.of(GpuMetrics.class, GpuMetrics.class))
        .withMessageContaining("declared twice");
  }

  @Test
  void labelsPairNamesWithValues() {
    Labels labels = Labels.of("a", "1", "b", "2");
    assertThat(labels).isEqualTo(new Labels(List.of("a", "b"), List.of("1", "2")));
    assertThat(labels.with("c", "3")).isEqualTo(Labels.of("a", "1", "b", "2", "c", "3"));
    assertThat(Labels.NONE.names()).isEmpty();
  }

  @Test
  void aLabelWithoutValueOrTwiceIsABug() {
    assertThatIllegalArgumentException().isThrownBy(() -> Labels.of("a"));
    assertThatIllegalArgumentException().isThrownBy(() -> Labels.of("a", "1", "a", "2"));
    assertThatIllegalArgumentException().isThrownBy(() -> Labels.of("a", "1").with("a", "2"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Labels(List.of("a"), List.of("1", "2")));
  }
}
