package io.lapwing.bench.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClosenessTest {

  @Test
  void exactMeansOneOfTheValuesThatWereSeenOrBetweenThem() {
    assertThat(Closeness.exact().agrees(5, List.of(5.0))).isTrue();
    assertThat(Closeness.exact().agrees(5, List.of(4.0, 6.0))).isTrue();
    assertThat(Closeness.exact().agrees(5, List.of(5.1))).isFalse();
  }

  @Test
  void theLargerOfAmountAndShareWidensTheRange() {
    Closeness closeness = Closeness.within(10, 0.10);
    assertThat(closeness.agrees(690, List.of(630.0))).isTrue();
    assertThat(closeness.agrees(85, List.of(76.0))).isTrue();
    assertThat(closeness.agrees(87, List.of(76.0))).isFalse();
  }

  @Test
  void nanNeverAgrees() {
    assertThat(Closeness.within(10).agrees(Double.NaN, List.of(1.0))).isFalse();
  }

  @Test
  void aMaskHasTheBitsThatWereAlwaysSetAndNoneThatNeverWas() {
    Closeness bits = new Closeness.Bits();
    List<Double> seen = List.of(5.0, 1.0);
    assertThat(bits.agrees(0b001, seen)).isTrue();
    assertThat(bits.agrees(0b101, seen)).isTrue();
    assertThat(bits.agrees(0b100, seen)).isFalse();
    assertThat(bits.agrees(0b011, seen)).isFalse();
  }
}
