package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
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

  private static final Access LOST = new Access.Down("gpu_is_lost", "it fell off the bus");

  private static final Timetable TIMES = new Timetable(START, new ScrapeForecast());

  private final Schedule schedule = new Schedule(CADENCES, TIMES, ALL, START);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private void run(double seconds, Access found) {
    schedule.ran(schedule.due(at(seconds)), found, at(seconds));
  }

  @Test
  void everythingIsDueAtTheStart() {
    assertThat(schedule.due(START)).isEqualTo(ALL);
    assertThat(schedule.nanosUntilNext(START)).isZero();
  }

  @Test
  void theFastCadenceReadsASecondTimeSoonAfterTheFirst() {
    run(0, Access.READY);

    assertThat(schedule.due(at(0.24))).isEmpty();
    assertThat(schedule.due(at(0.25))).containsExactly(Cadence.FAST);
    assertThat(schedule.nanosUntilNext(at(0.1))).isEqualTo(Duration.ofMillis(150).toNanos());
  }

  @Test
  void afterTheSecondReadingAllAreReadAtMultiplesOfTheirPeriods() {
    run(0, Access.READY);
    run(0.25, Access.READY);

    assertThat(schedule.due(at(4.7))).isEmpty();
    assertThat(schedule.due(at(5))).containsExactly(Cadence.FAST);
    assertThat(schedule.due(at(10))).containsExactly(Cadence.FAST, Cadence.MEDIUM);
    assertThat(schedule.due(at(60))).containsExactlyElementsOf(ALL);
  }

  @Test
  void whatIsSoonDueMayBeReadTogetherWithWhatIsDue() {
    run(0, Access.READY);
    run(0.25, Access.READY);

    assertThat(schedule.nanosUntilNext(at(4.8))).isEqualTo(Duration.ofMillis(200).toNanos());
    assertThat(schedule.nanosOfSlack()).isEqualTo(Duration.ofMillis(250).toNanos());
    assertThat(schedule.due(at(9.8))).containsExactly(Cadence.FAST, Cadence.MEDIUM);
    run(9.8, Access.READY);
    assertThat(schedule.nanosUntilNext(at(9.8))).isEqualTo(Duration.ofMillis(5200).toNanos());
  }

  @Test
  void whatWasWokenIsDue() {
    run(0, Access.READY);
    run(0.25, Access.READY);
    schedule.wake(at(2));

    assertThat(schedule.nanosUntilNext(at(2))).isZero();
    assertThat(schedule.due(at(2))).isEqualTo(ALL);
  }

  @Test
  void roundsThatWereMissedAreNotMadeUpFor() {
    run(0, Access.READY);
    run(0.25, Access.READY);
    run(23, Access.READY);

    assertThat(schedule.due(at(24.7))).isEmpty();
    assertThat(schedule.due(at(25))).containsExactly(Cadence.FAST);
  }

  @Test
  void anUnusedCadenceWakesNoWorker() {
    Schedule slow = new Schedule(CADENCES, TIMES, Set.of(Cadence.SLOW), START);
    slow.ran(slow.due(START), Access.READY, START);

    assertThat(slow.nanosUntilNext(START)).isEqualTo(Duration.ofSeconds(60).toNanos());
  }

  @Test
  void aSourceThatStaysDownIsReadAtTheSlowCadenceAndAtItsOwnAgainOnceItAnswers() {
    run(0, LOST);
    run(0.25, LOST);
    for (int round = 1; round <= 4; round++) {
      run(0.25 + 5 * round, LOST);
    }
    assertThat(schedule.due(at(25.25))).contains(Cadence.FAST);
    run(25.25, LOST);

    assertThat(schedule.due(at(59))).doesNotContain(Cadence.FAST);
    assertThat(schedule.due(at(60))).contains(Cadence.FAST);
    run(60, Access.READY);
    run(60.25, Access.READY);
    assertThat(schedule.due(at(65))).contains(Cadence.FAST);
  }

  @Test
  void aSourceThatReturnsAfterEightRoundsDownReadsEveryCadenceInThatTurn() {
    run(0, Access.READY);
    run(0.25, Access.READY);
    double now = 5.25;
    for (int round = 0; round < 8; round++) {
      run(now, LOST);
      now += schedule.nanosUntilNext(at(now)) / 1e9 + 0.001;
    }
    assertThat(schedule.due(at(now))).isEqualTo(ALL);
    run(now, Access.READY);

    assertThat(schedule.nanosUntilNext(at(now))).isEqualTo(Duration.ofMillis(250).toNanos());
    run(now + 0.25, Access.READY);
    assertThat(schedule.due(at(now + 5.3))).contains(Cadence.FAST);
    assertThat(schedule.due(at(now + 10.3))).contains(Cadence.MEDIUM);
    assertThat(schedule.due(at(now + 60.3))).isEqualTo(ALL);
  }

  @Test
  void aSourceThatIsLostAgainSoonAfterItsReturnIsReadAtTheFastCadence() {
    for (int round = 0; round < 9; round++) {
      run(60 * round, LOST);
    }
    run(540, Access.READY);
    run(540.25, Access.READY);

    assertThat(schedule.due(at(545.25))).contains(Cadence.FAST);
  }

  @Test
  void aReadingThatWaitsForAScrapeComesSoonerOnceAFindingIsPending() {
    ScrapeForecast scrapes = new ScrapeForecast();
    for (int i = 0; i < 3; i++) {
      scrapes.scraped("prometheus", at(15 * i));
    }
    Timetable times = new Timetable(START, scrapes);
    times.steady(true);
    Cadences cadences =
        new Cadences(
            CADENCES.fast(), CADENCES.period(Cadence.MEDIUM), CADENCES.slow(), CADENCES.deadline());
    Schedule fast = new Schedule(cadences, times, Set.of(Cadence.FAST), START);
    fast.ran(fast.due(START), Access.READY, at(29));
    fast.ran(fast.due(at(29.5)), Access.READY, at(29.5));
    assertThat(fast.nanosUntilNext(at(29.5))).isEqualTo(Duration.ofSeconds(15).toNanos());

    cadences.touch();

    assertThat(fast.nanosUntilNext(at(31))).isEqualTo(CADENCES.fast().toNanos());

    Schedule counters = new Schedule(cadences, times, Set.of(Cadence.MEDIUM), START);
    counters.ran(counters.due(START), Access.READY, at(29.5));
    cadences.touch();
    assertThat(counters.nanosUntilNext(at(31))).isEqualTo(Duration.ofMillis(13_500).toNanos());
  }

  @Test
  void whatAppearsIsReadAsAWhole() {
    run(0, new Access.NothingHere("no driver"));
    run(0.25, new Access.NothingHere("no driver"));

    assertThat(schedule.due(at(5.25))).isEqualTo(ALL);
  }

  @Property(tries = 200)
  void whateverARoundTakesTheNextOneIsStillToComeAndNoFurtherThanAPeriod(
      @ForAll @IntRange(max = 500_000) int millis) {
    Schedule late = new Schedule(CADENCES, TIMES, Set.of(Cadence.FAST), START);
    late.ran(late.due(START), Access.READY, START);
    double seconds = 0.25 + millis / 1000.0;
    late.ran(late.due(at(seconds)), Access.READY, at(seconds));

    assertThat(late.nanosUntilNext(at(seconds)))
        .isPositive()
        .isLessThanOrEqualTo(CADENCES.fast().plus(Duration.ofMillis(250)).toNanos());
  }
}
