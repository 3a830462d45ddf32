package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GrowthTest {

  @Test
  void aFigureThatDoublesWithTheNodesIsLinear() {
    assertThat(Growth.exponent(Map.of(100, 0.5, 200, 1.0, 400, 2.0))).isEqualTo(1, within(1e-9));
  }

  @Test
  void aFigureThatQuadruplesWithTwiceTheNodesIsQuadratic() {
    assertThat(Growth.exponent(Map.of(100, 3.0, 200, 12.0))).isEqualTo(2, within(1e-9));
  }

  @Test
  void oneFleetAloneHasNoGrowth() {
    assertThat(Growth.exponent(Map.of(100, 3.0))).isNaN();
  }
}
