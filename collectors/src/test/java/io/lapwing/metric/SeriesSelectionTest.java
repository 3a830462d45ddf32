package io.lapwing.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.SeriesSelection.Shown;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesSelectionTest {

  private static final Metric ONE = Metric.gauge("lapwing_one", "One.");
  private static final Metric TWO = Metric.gauge("lapwing_two", "Two.");
  private static final Metric OTHER = Metric.gauge("lapwing_other", "Two under another name.");

  private final SampleBuffer buffer = new SampleBuffer();

  private Samples run(double one, double two) {
    buffer.add(ONE, Labels.NONE, one);
    buffer.add(TWO, Labels.NONE, two);
    return buffer.take();
  }

  private static List<Shown> shown(Metric metric) {
    return metric.equals(ONE)
        ? List.of()
        : List.of(Shown.as(metric), new Shown(OTHER, value -> value * 10));
  }

  @Test
  void aFamilyIsLeftOutOrShownUnderTwoNames() {
    Samples run = run(1, 2);
    Samples shown = SeriesSelection.of(run.series(), SeriesSelectionTest::shown).from(run);

    assertThat(shown.series()).extracting(Series::metric).containsExactly(TWO, OTHER);
    assertThat(shown.value(0)).isEqualTo(2);
    assertThat(shown.value(1)).isEqualTo(20);
    assertThat(shown.listed()).isEqualTo(2);
  }

  @Test
  void theListOfSeriesStaysTheSameObjectFromRunToRun() {
    Samples first = run(1, 2);
    SeriesSelection selection = SeriesSelection.of(first.series(), SeriesSelectionTest::shown);

    assertThat(selection.from(run(3, 4)).series()).isSameAs(selection.from(first).series());
    assertThat(SeriesSelection.of(first.series(), metric -> List.of(Shown.as(metric))).from(first))
        .isSameAs(first);
  }

  @Test
  void theSamplesOfARunAreSelectedOnceAndThoseOfTheNextAreItsOwn() {
    Samples first = run(1, 2);
    SeriesSelection selection = SeriesSelection.of(first.series(), SeriesSelectionTest::shown);
    Samples shown = selection.from(first);
    Samples second = run(1, 3);

    assertThat(selection.from(first)).isSameAs(shown);
    assertThat(selection.from(second).value(0)).isEqualTo(3);
    assertThat(selection.from(first).value(0)).isEqualTo(2);
  }
}
