package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When counters are read, and what {@code rate()} makes of that. */
class TimetableTest {

  /** nanoTime() may be anything, and may overflow while the agent runs. */
  private static final long START = Long.MAX_VALUE - Duration.ofMinutes(7).toNanos();

  private static final long FAST = Duration.ofSeconds(5).toNanos();
  private static final long MEDIUM = Duration.ofSeconds(10).toNanos();
  private static final double TOLERANCE = 0.02;

  private final ScrapeForecast scrapes = new ScrapeForecast();
  private final Timetable timetable = new Timetable(START, scrapes);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  /** The readings of a cadence, and of each scrape its time and the time of the value it saw. */
  private record Run(List<Double> readings, List<double[]> samples) {

    /** The largest error of a rate over a window, for a counter that grows by one a second. */
    double error(double window) {
      double worst = 0;
      for (int last = 1; last < samples.size(); last++) {
        int first = last;
        while (first > 0 && samples.get(last)[0] - samples.get(first - 1)[0] <= window) {
          first--;
        }
        if (first < last) {
          double[] from = samples.get(first);
          double[] to = samples.get(last);
          worst = Math.max(worst, Math.abs((to[1] - from[1]) / (to[0] - from[0]) - 1));
        }
      }
      return worst;
    }

    double age() {
      return samples.stream().mapToDouble(sample -> sample[0] - sample[1]).max().orElseThrow();
    }

    /** Without the time in which the scrapers are learned. */
    Run after(double seconds) {
      return new Run(
          readings.stream().filter(time -> time > seconds).toList(),
          samples.stream().filter(sample -> sample[0] > seconds).toList());
    }
  }

  /** Scrapers come at their intervals from the given phases, a few milliseconds early or late. */
  private Run run(Cadence cadence, long period, double until, double[]... scrapers) {
    Random random = new Random(4711);
    double[] due = Arrays.stream(scrapers).mapToDouble(scraper -> scraper[1]).toArray();
    List<Double> readings = new ArrayList<>();
    List<double[]> samples = new ArrayList<>();
    double reading = 0;
    double next = 0;
    while (next < until) {
      int who = 0;
      for (int i = 1; i < due.length; i++) {
        who = due[i] < due[who] ? i : who;
      }
      double scrape = due.length == 0 ? Double.MAX_VALUE : due[who] + random.nextGaussian() * 0.004;
      if (next <= scrape) {
        reading = next;
        readings.add(reading);
        next += (timetable.next(cadence, period, at(reading)) - at(reading)) / 1e9;
      } else {
        scrapes.scraped(who, at(scrape));
        if (who == 0) {
          samples.add(new double[] {scrape, reading});
        }
        due[who] += scrapers[who][0];
      }
    }
    return new Run(readings, samples);
  }

  @Test
  void withoutAScraperReadingsAreAtMultiplesOfThePeriod() {
    Run run = run(Cadence.MEDIUM, MEDIUM, 60);

    assertThat(run.readings()).containsExactly(0.0, 10.0, 20.0, 30.0, 40.0, 50.0);
  }

  @ParameterizedTest
  @CsvSource({"5, 3.3", "10, 9.99", "15, 0.2", "15, 7.1", "30, 13", "60, 41"})
  void eachScrapeSeesCountersThatWereReadWithinASecondAndRatesAreExact(
      double interval, double phase) {
    Run run = run(Cadence.MEDIUM, MEDIUM, 3600, new double[] {interval, phase}).after(4 * interval);

    assertThat(run.samples()).hasSizeGreaterThan(50);
    assertThat(run.age()).isLessThanOrEqualTo(1);
    assertThat(run.error(60)).isLessThan(TOLERANCE);
    assertThat(run.error(300)).isLessThan(TOLERANCE);
  }

  @Test
  void atFifteenSecondsCountersAreReadOncePerScrapeAndGaugesThreeTimes() {
    double[] scraper = {15, 7.1};

    assertThat(run(Cadence.MEDIUM, MEDIUM, 1000, scraper).after(100).readings())
        .hasSizeBetween(60, 61);
    assertThat(run(Cadence.FAST, FAST, 1000, scraper).after(100).readings())
        .hasSizeBetween(179, 182);
  }

  @ParameterizedTest
  @CsvSource({"5, 720", "10, 360", "15, 240", "20, 360", "30, 240", "60, 240"})
  void whileNothingIsPendingGaugesAreReadForTheScrapesAndEachFifteenSeconds(
      double interval, int readingsAnHour) {
    timetable.steady(true);

    Run run = run(Cadence.FAST, FAST, 4000, new double[] {interval, 3.3}).after(400);

    assertThat(run.readings()).hasSizeBetween(readingsAnHour - 2, readingsAnHour + 2);
    assertThat(run.age()).isLessThanOrEqualTo(1);
    assertThat(run.error(300)).isLessThan(TOLERANCE);
  }

  @Test
  void aPendingFindingOrSomebodyWhoWatchesBringsThePeriodBack() {
    run(Cadence.FAST, FAST, 400, new double[] {15, 2});
    long last = at(392.5);

    assertThat(timetable.steady(true)).isFalse();
    assertThat(timetable.next(Cadence.FAST, FAST, last)).isGreaterThan(last + 2 * FAST);
    assertThat(timetable.watched(last)).isTrue();
    assertThat(timetable.watched(last)).isFalse();
    assertThat(timetable.next(Cadence.FAST, FAST, last)).isEqualTo(last + FAST);
    assertThat(timetable.next(Cadence.FAST, FAST, at(392.5 + 30)))
        .isLessThanOrEqualTo(at(392.5 + 35));
    assertThat(timetable.steady(false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"15, 2, 30, 9", "30, 9, 15, 2", "15, 2, 60, 2.4"})
  void ofTwoScrapersEachSeesFreshCounters(
      double interval, double phase, double otherInterval, double otherPhase) {
    double[] one = {interval, phase};
    double[] other = {otherInterval, otherPhase};

    assertThat(run(Cadence.MEDIUM, MEDIUM, 1000, one, other).after(240).age())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void aScrapeThatIsLateOrMissingDoesNotMoveTheOthers() {
    for (double time : new double[] {0, 15, 30, 45.9, 60, 75, 105, 119.2, 135}) {
      scrapes.scraped("prometheus", at(time));
    }

    assertThat(seconds(scrapes.nextAfter(at(136)))).isCloseTo(150, within(0.1));
  }

  @Test
  void anotherIntervalIsLearned() {
    for (double time : new double[] {0, 15, 30, 35, 41, 47, 53, 59, 65, 71, 77, 83}) {
      scrapes.scraped("prometheus", at(time));
    }

    assertThat(seconds(scrapes.nextAfter(at(84)))).isCloseTo(89, within(0.1));
  }

  private static double seconds(OptionalLong time) {
    return (time.orElseThrow() - START) / 1e9;
  }

  @Test
  void withoutWhoReadsThePeriodReturns() {
    run(Cadence.MEDIUM, MEDIUM, 200, new double[] {15, 2});

    assertThat(timetable.next(Cadence.MEDIUM, MEDIUM, at(400))).isEqualTo(at(410));
  }

  @Test
  void clientsThatComeOftenOrAtRandomChangeNothing() {
    for (int i = 0; i < 100; i++) {
      scrapes.scraped("hasty", at(i * 1.5));
      scrapes.scraped("curious", at(i * i * 0.7));
    }

    assertThat(scrapes.nextAfter(at(150))).isEmpty();
  }

  @Test
  void manyClientsDoNotForgetARegularOne() {
    for (int i = 0; i < 10; i++) {
      scrapes.scraped("prometheus", at(15 * i));
      for (int client = 0; i > 2 && client < 50; client++) {
        scrapes.scraped("client" + i + "-" + client, at(15 * i + 1));
      }
    }

    assertThat(scrapes.nextAfter(at(136))).hasValue(at(150));
  }

  @Property(tries = 300)
  void theNextReadingIsLaterAndNotMuchMoreThanAPeriodAndAHalf(
      @ForAll @IntRange(min = 4000, max = 400_000) int millis,
      @ForAll @IntRange(max = 1_000_000) int last) {
    for (int i = 0; i < 3; i++) {
      scrapes.scraped("one", at(last / 1000.0 + i * millis / 1000.0));
    }
    long from = at(last / 1000.0 + 2.3 * millis / 1000.0);

    for (long period : List.of(MEDIUM, 12 * MEDIUM)) {
      assertThat(timetable.next(Cadence.MEDIUM, period, from) - from)
          .isGreaterThan(Timetable.slack(period))
          .isLessThanOrEqualTo(period + period / 2 + Timetable.slack(period));
    }
  }
}
