package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageLayoutTest {

  private static final Metric RATIO = Metric.gauge("lapwing_test_ratio", "A help.");

  private final SampleBuffer buffer = new SampleBuffer();
  private final Labels zero = Labels.of("gpu", "0");
  private final Labels one = Labels.of("gpu", "1");

  private Samples round(Labels... labels) {
    for (Labels each : labels) {
      buffer.add(RATIO, each, 1);
    }
    return buffer.take();
  }

  private static PageLayout layout(Samples... samples) {
    return PageLayout.of(List.of(samples));
  }

  @Test
  void aLayoutIsValidWhileTheSeriesAreUnchanged() {
    PageLayout layout = layout(round(zero, one));

    assertThat(layout.fits(List.of(round(zero, one)))).isTrue();
  }

  @Test
  void aLayoutIsInvalidAfterAnyChangeOfSeries() {
    PageLayout layout = layout(round(zero, one));

    assertThat(layout.fits(List.of(round(zero)))).isFalse();
    assertThat(layout.fits(List.of(round(zero, one, Labels.NONE)))).isFalse();
    assertThat(layout.fits(List.of(round(one, zero)))).isFalse();
    assertThat(layout.fits(List.of())).isFalse();
  }

  @Test
  void removedAndAddedSourcesChangeTheResponse() {
    PageLayout.PageRenderer renderer = new PageLayout.PageRenderer();
    Samples first = round(zero);
    Samples second = new SampleBuffer().take();

    assertThat(write(renderer, List.of(first))).contains("lapwing_test_ratio{gpu=\"0\"} 1\n");
    assertThat(write(renderer, List.of(second))).isEmpty();
    assertThat(write(renderer, List.of(first, round(zero, one))))
        .contains("lapwing_test_ratio{gpu=\"0\"} 1\nlapwing_test_ratio{gpu=\"1\"} 1\n");
  }

  @Test
  void bothFormatsShareTheirLines() {
    PageLayout.PageRenderer renderer = new PageLayout.PageRenderer();
    SampleBuffer counters = new SampleBuffer();
    counters.add(Metric.counter("lapwing_test_total", "A."), Labels.NONE, 1);
    List<Samples> samples = List.of(counters.take());

    for (int round = 0; round < 2; round++) {
      assertThat(write(renderer, samples)).contains("# TYPE lapwing_test_total counter");
      PageBuffer page = new PageBuffer();
      renderer.render(samples, PageFormat.OPENMETRICS_1_0_0, page);
      assertThat(new String(page.toBytes(), StandardCharsets.UTF_8))
          .contains("# TYPE lapwing_test counter");
    }
  }

  private static String write(PageLayout.PageRenderer renderer, List<Samples> samples) {
    PageBuffer page = new PageBuffer();
    renderer.render(samples, PageFormat.TEXT_0_0_4, page);
    return new String(page.toBytes(), StandardCharsets.UTF_8);
  }
}
