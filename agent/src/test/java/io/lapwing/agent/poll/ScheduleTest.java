package io.lapwing.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));
  private static final Set<Cadence> ALL = EnumSet.of(Cadence.FAST, Cadence.MEDIUM, Cadence.SLOW);

  /** nanoTime() may be anything, and may overflow while the agent runs. */
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

  private final Schedule schedule = new Schedule(CADENCES, ALL, START);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private void run(double seconds, boolean answered) {
    schedule.ran(schedule.due(at(seconds)), answered, at(seconds));
  }

  @Test
  void everythingIsDueAtTheStart() {
    assertThat(schedule.due(START)).isEqualTo(ALL);
    assertThat(schedule.nanosUntilNext(START)).isZero();
  }

  @Test
  void theFastCadenceTakesASecondLookSoonAfterTheFirst() {
    run(0, true);

    assertThat(schedule.due(at(0.24))).isEmpty();
    assertThat(schedule.due(at(0.25))).containsExactly(Cadence.FAST);
    assertThat(schedule.nanosUntilNext(at(0.1))).isEqualTo(Duration.ofMillis(150).toNanos());
  }

  @Test
  void afterTheSecondLookEachCadenceKeepsItsPeriod() {
    run(0, true);
    run(0.25, true);

    assertThat(schedule.due(at(5))).isEmpty();
    assertThat(schedule.due(at(5.25))).containsExactly(Cadence.FAST);
    assertThat(schedule.due(at(10.25))).containsExactly(Cadence.FAST, Cadence.MEDIUM);
    assertThat(schedule.due(at(60))).containsExactlyElementsOf(ALL);
  }

  @Test
  void roundsThatWereMissedAreNotMadeUpFor() {
    run(0, true);
    run(0.25, true);
    run(23, true);

    assertThat(schedule.due(at(25))).isEmpty();
    assertThat(schedule.due(at(25.25))).containsExactly(Cadence.FAST);
  }

  @Test
  void aCadenceThatNobodyUsesWakesNobody() {
    Schedule slow = new Schedule(CADENCES, Set.of(Cadence.SLOW), START);
    slow.ran(slow.due(START), true, START);

    assertThat(slow.nanosUntilNext(START)).isEqualTo(Duration.ofSeconds(60).toNanos());
  }

  @Test
  void theQuickCadenceIsEverySecondAndNeverSlowerThanTheFastOne() {
    Schedule quick = new Schedule(CADENCES, Set.of(Cadence.QUICK), START);
    quick.ran(quick.due(START), true, START);
    Duration half = Duration.ofMillis(500);

    assertThat(quick.nanosUntilNext(START)).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(new Cadences(half, half, half, half).period(Cadence.QUICK)).isEqualTo(half);
  }

  @Test
  void aSourceThatStaysDownIsAskedAtTheSlowCadenceAndAtItsOwnAgainOnceItAnswers() {
    run(0, false);
    run(0.25, false);
    for (int round = 1; round <= 4; round++) {
      run(0.25 + 5 * round, false);
    }
    assertThat(schedule.due(at(25.25))).contains(Cadence.FAST);
    run(25.25, false);

    assertThat(schedule.due(at(85))).doesNotContain(Cadence.FAST);
    assertThat(schedule.due(at(85.25))).contains(Cadence.FAST);
    run(85.25, true);
    assertThat(schedule.due(at(90.25))).contains(Cadence.FAST);
  }

  @Property(tries = 200)
  void whateverARoundTakesTheNextOneIsStillToComeAndNoFurtherThanAPeriod(
      @ForAll @IntRange(max = 500_000) int millis) {
    Schedule late = new Schedule(CADENCES, Set.of(Cadence.FAST), START);
    late.ran(late.due(START), true, START);
    double seconds = 0.25 + millis / 1000.0;
    late.ran(late.due(at(seconds)), true, at(seconds));

    assertThat(late.nanosUntilNext(at(seconds)))
        .isPositive()
        .isLessThanOrEqualTo(CADENCES.fast().toNanos());
  }
}
