package io.lapwing.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SampleBufferTest {

  private static final Metric METRIC = Metric.gauge("m", "help");

  private static final List<Labels> LABELS =
      IntStream.range(0, 40).mapToObj(i -> Labels.of("n", String.valueOf(i))).toList();

  private final SampleBuffer buffer = new SampleBuffer();

  private Samples run(int... series) {
    for (int one : series) {
      buffer.add(METRIC, LABELS.get(one), 100 + one);
    }
    return buffer.take();
  }

  private static List<Series> series(int... series) {
    return IntStream.of(series).mapToObj(one -> new Series(METRIC, LABELS.get(one))).toList();
  }

  @Test
  void theListOfSeriesIsTheSameObjectWhileNothingChanges() {
    List<Series> first = run(1, 2, 3).series();
    assertThat(run(1, 2, 3).series()).isSameAs(first).isEqualTo(series(1, 2, 3));
    assertThat(run(1, 2, 3).series()).isSameAs(first);
  }

  @Test
  void aChangeAnywhereMakesANewListAndLeavesTheOldOne() {
    List<Series> first = run(1, 2, 3).series();
    assertThat(run(9, 2, 3).series()).isEqualTo(series(9, 2, 3));
    assertThat(run(9, 8, 3).series()).isEqualTo(series(9, 8, 3));
    assertThat(run(9, 8, 7).series()).isEqualTo(series(9, 8, 7));
    assertThat(run(9, 8, 7, 6).series()).isEqualTo(series(9, 8, 7, 6));
    assertThat(run(9, 8).series()).isEqualTo(series(9, 8));
    assertThat(run().series()).isEmpty();
    assertThat(run(1).series()).isEqualTo(series(1));
    assertThat(first).isEqualTo(series(1, 2, 3));
  }

  @Test
  void afterAShorterRunTheShorterListStays() {
    run(1, 2, 3);
    List<Series> shorter = run(1, 2).series();
    assertThat(run(1, 2).series()).isSameAs(shorter);
  }

  @Test
  void equalLabelsThatAreAnotherObjectAreAnotherSeries() {
    List<Series> first = run(1).series();
    buffer.add(METRIC, Labels.of("n", "1"), 1);
    assertThat(buffer.take().series()).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void valuesOfOneRunDoNotChangeWithTheNext() {
    Samples first = run(1);
    buffer.add(METRIC, LABELS.get(1), -5);
    Samples second = buffer.take();
    assertThat(first.value(0)).isEqualTo(101);
    assertThat(second.value(0)).isEqualTo(-5);
    assertThat(second).hasToString(second.series() + " = [-5.0]");
  }

  @Test
  void anEmptyRunHasNoSamples() {
    assertThat(buffer.take().size()).isZero();
    assertThat(Samples.EMPTY.size()).isZero();
    assertThat(Samples.EMPTY.series()).isEmpty();
  }

  /** The model: a list that is created for each run. */
  @Property(tries = 500)
  void everyRunHoldsExactlyWhatWasAdded(
      @ForAll @Size(max = 8) List<@Size(max = 40) List<@IntRange(max = 39) Integer>> runs) {
    SampleBuffer real = new SampleBuffer();
    List<Series> before = List.of();
    for (List<Integer> run : runs) {
      List<Series> model = new ArrayList<>();
      for (int one : run) {
        real.add(METRIC, LABELS.get(one), one);
        model.add(new Series(METRIC, LABELS.get(one)));
      }
      Samples samples = real.take();
      assertThat(samples.series()).isEqualTo(model);
      assertThat(IntStream.range(0, samples.size()).mapToObj(i -> (int) samples.value(i)))
          .isEqualTo(run);
      assertThat(samples.series() == before).isEqualTo(model.equals(before));
      before = samples.series();
    }
  }
}
