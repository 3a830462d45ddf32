package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BetaBinomialTest {

  @Test
  void knowingNothingEitherOutcomeOfOneHourIsAsLikely() {
    assertThat(new AccelerationSearch.BetaBinomial(0, 0).atLeast(1, 1))
        .isCloseTo(0.5, within(1e-12));
  }

  @Test
  void threeOfSixAfterAQuietWeekAreOneInAHundredThousand() {
    // E[p^3] under Beta(1/2, 162.5) times the ways to choose, and the smaller terms behind it.
    double third = 20 * (0.5 * 1.5 * 2.5) / (163.0 * 164 * 165);

    assertThat(new AccelerationSearch.BetaBinomial(0, 162).atLeast(3, 6))
        .isBetween(0.9 * third, third)
        .isLessThan(1e-5);
  }

  @Test
  void aQuietDayIsNotEnoughForThatButForSix() {
    AccelerationSearch.BetaBinomial day = new AccelerationSearch.BetaBinomial(0, 24);

    assertThat(day.atLeast(3, 6)).isGreaterThan(1e-5);
    assertThat(day.atLeast(6, 6)).isLessThan(1e-5);
  }

  @Test
  void whatIsLoudAllTheTimeIsNoNewsWhenItIsLoud() {
    assertThat(new AccelerationSearch.BetaBinomial(162, 162).atLeast(6, 6)).isGreaterThan(0.9);
  }

  @Property
  void itIsADistribution(
      @ForAll @IntRange(max = 700) int loud,
      @ForAll @IntRange(max = 700) int more,
      @ForAll @IntRange(min = 1, max = 24) int next) {
    AccelerationSearch.BetaBinomial hours = new AccelerationSearch.BetaBinomial(loud, loud + more);

    assertThat(hours.atLeast(0, next)).isCloseTo(1, within(1e-9));
    for (int least = 1; least <= next; least++) {
      assertThat(hours.atLeast(least, next))
          .isPositive()
          .isLessThanOrEqualTo(hours.atLeast(least - 1, next));
    }
  }

  @Property
  void theMoreHoursWereLoudTheLessIsTheEvidence(
      @ForAll @IntRange(max = 160) int loud, @ForAll @IntRange(min = 1, max = 6) int least) {
    assertThat(new AccelerationSearch.BetaBinomial(loud + 1, 162).atLeast(least, 6))
        .isGreaterThan(new AccelerationSearch.BetaBinomial(loud, 162).atLeast(least, 6));
  }
}
