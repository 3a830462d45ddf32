package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void theRatioIsTheMedianOfTheRoundsNotTheRatioOfTheMedians() {
    Comparison comparison =
        Comparison.of(List.of(1.0, 2.0, 9.0), List.of(10.0, 10.0, 10.0), value -> value);
    assertThat(comparison.agent()).isEqualTo(2);
    assertThat(comparison.ratio()).isEqualTo(0.2);
    assertThat(comparison.lowest()).isEqualTo(0.1);
    assertThat(comparison.highest()).isEqualTo(0.9);
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(Medians.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
  }

  @Test
  void aPercentileIsAValueOfTheSample() {
    assertThat(Medians.percentile(new long[] {5, 1, 4, 2, 3}, 0.50)).isEqualTo(3);
    assertThat(Medians.percentile(new long[] {5, 1, 4, 2, 3}, 0.99)).isEqualTo(5);
  }
}
