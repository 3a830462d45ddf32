package io.lapwing.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlatnessTest {

  private static final int MOMENTS = 90;

  /** A figure that goes up and down with what the node does, the same in every pass. */
  private static double[] pass(double base, long seed) {
    Random noise = new Random(seed);
    return IntStream.range(0, MOMENTS)
        .mapToDouble(i -> base + 50 * Math.sin(i / 9.0) + noise.nextGaussian())
        .toArray();
  }

  @Test
  void theSameVariationInEveryPassIsFlat() {
    Flatness flatness = Flatness.of(List.of(pass(900, 1), pass(900, 2), pass(900, 3)), 2);
    assertThat(flatness.flat()).isTrue();
  }

  @Test
  void aLeakMuchSmallerThanTheSwingIsSeen() {
    Flatness flatness = Flatness.of(List.of(pass(900, 1), pass(902, 2), pass(904, 3)), 2);
    assertThat(flatness.slopeGrown()).isBetween(3.0, 5.0);
    assertThat(flatness.flat()).isFalse();
  }

  @Test
  void aFewOutliersDoNotChangeTheResult() {
    double[] odd = pass(900, 3);
    for (int i = 0; i < MOMENTS / 10; i++) {
      odd[i] = 100_000;
    }
    assertThat(Flatness.of(List.of(pass(900, 1), pass(900, 2), odd), 20).flat()).isTrue();
  }

  @Test
  void aDecreaseIsNotALeak() {
    assertThat(Flatness.of(List.of(pass(900, 1), pass(700, 2)), 1).flat()).isTrue();
  }
}
