package io.lapwing.agent.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BaselineTest {

  private final Baseline usual = new Baseline();

  private void minutes(int count, double secondsOfCompute) {
    for (int i = 0; i < count; i++) {
      usual.add(
          RankTime.of(10, 10 * secondsOfCompute, Map.of(Portion.COMPUTE, 10 * secondsOfCompute)));
    }
  }

  @Test
  void twoMinutesGiveNoBaseline() {
    minutes(2, 0.3);
    assertThat(usual.of(Portion.COMPUTE)).isEmpty();
    minutes(1, 0.3);
    assertThat(usual.of(Portion.COMPUTE)).hasValue(0.3);
  }

  @Test
  void tenSlowMinutesDoNotMoveTheBaseline() {
    minutes(10, 0.3);
    minutes(10, 0.9);
    assertThat(usual.of(Portion.COMPUTE)).hasValue(0.3);
  }

  @Test
  void halfAnHourOfSlownessMovesIt() {
    minutes(10, 0.3);
    minutes(30, 0.9);
    assertThat(usual.of(Portion.COMPUTE)).hasValue(0.9);
  }

  @Test
  void oneFastMinuteDoesNotMoveIt() {
    minutes(9, 0.3);
    minutes(1, 0.1);
    assertThat(usual.of(Portion.COMPUTE)).hasValue(0.3);
  }

  @Test
  void anUnrecordedPortionHasNoBaseline() {
    minutes(5, 0.3);
    assertThat(usual.of(Portion.INPUT)).isEmpty();
  }
}
