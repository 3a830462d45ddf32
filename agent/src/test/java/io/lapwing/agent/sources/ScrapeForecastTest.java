package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeForecastTest {

  private final ScrapeForecast forecast = new ScrapeForecast();

  @BeforeEach
  void every15Seconds() {
    for (int second : new int[] {0, 15, 30, 45, 60}) {
      scrape(second);
    }
  }

  private void scrape(double second) {
    forecast.scraped("prometheus", nanos(second));
  }

  private static long nanos(double second) {
    return Math.round(second * TimeUnit.SECONDS.toNanos(1));
  }

  private double nextAfter(double second) {
    return forecast.nextAfter(nanos(second)).orElse(-1) / 1e9;
  }

  @ParameterizedTest
  @CsvSource({"5", "10", "20", "22.5", "30", "60"})
  void anotherIntervalIsLearnedFromTwo(double interval) {
    scrape(60 + interval);
    scrape(60 + 2 * interval);

    assertThat(nextAfter(61 + 2 * interval)).isEqualTo(60 + 3 * interval);
  }

  @Test
  void aScrapeThatIsLateOnceChangesNothing() {
    scrape(77);
    scrape(90);

    assertThat(nextAfter(91)).isEqualTo(105);
  }

  @Test
  void twoRequestsOfAPersonChangeNothing() {
    scrape(62);
    scrape(64);

    assertThat(nextAfter(65)).isEqualTo(75);
  }

  @Test
  void oneMissedScrapeChangesNothing() {
    scrape(90);

    assertThat(nextAfter(91)).isEqualTo(105);
  }

  @ParameterizedTest
  @CsvSource({"15, 6", "15, 7.5", "15, 1.5", "10, 3", "30, 10", "60, 2"})
  void aSecondScraperOfTheSameAddressIsLearned(double interval, double phase) {
    List<Double> times = new ArrayList<>();
    for (int scrape = 5; scrape < 5 + 240 / 15; scrape++) {
      times.add(scrape * 15.0);
    }
    for (double time = 75 + phase; time < 315; time += interval) {
      times.add(time);
    }
    times.stream().distinct().sorted().forEach(this::scrape);

    double second = 75 + phase + Math.ceil((315 - 75 - phase) / interval) * interval;
    assertThat(nextAfter(314)).isEqualTo(Math.min(315, second));
    assertThat(nextAfter(Math.min(315, second))).isEqualTo(following(interval, phase));
  }

  /** The second of the times after 314 s of both scrapers. */
  private static double following(double interval, double phase) {
    return DoubleStream.concat(
            DoubleStream.iterate(315, time -> time + 15).limit(9),
            DoubleStream.iterate(75 + phase, time -> time + interval).limit(99))
        .filter(time -> time > 314)
        .sorted()
        .distinct()
        .skip(1)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1, 1.4, 2, 3, 3.7})
  void aClientWithShorterIntervalsIsNotExpected(double interval) {
    ScrapeForecast other = new ScrapeForecast();
    for (int request = 0; request < 200; request++) {
      other.scraped("watch", nanos(request * interval));
    }

    assertThat(other.nextAfter(nanos(200 * interval))).isEmpty();
  }

  @Test
  void noMoreThanFourAreExpected() {
    ScrapeForecast crowd = new ScrapeForecast();
    for (int scrape = 0; scrape < 5; scrape++) {
      for (int scraper = 0; scraper < 6; scraper++) {
        crowd.scraped(scraper / 2, nanos(15 * scrape + 2 * scraper)); // two of each address
      }
    }

    assertThat(crowd.nextAfter(nanos(80))).hasValue(nanos(81));
    assertThat(crowd.nextAfter(nanos(82))).hasValue(nanos(90)); // not 83 or 85
  }

  @Test
  void fourOfFiveAddressesAreLearned() {
    ScrapeForecast crowd = new ScrapeForecast();
    for (int scrape = 0; scrape < 5; scrape++) {
      for (int scraper = 0; scraper < 5; scraper++) {
        crowd.scraped("host " + scraper, nanos(15 * scrape + 2 * scraper));
      }
    }

    for (int scraper = 0; scraper < 4; scraper++) {
      double next = 75 + 2 * scraper;
      assertThat(crowd.nextAfter(nanos(next - 1))).hasValue(nanos(next));
    }
  }

  @Test
  void manyAddressesDoNotDisplaceOneThatIsLearned() {
    for (int request = 0; request < 1000; request++) {
      forecast.scraped("host " + request, nanos(60 + request / 100.0));
    }

    assertThat(nextAfter(71)).isEqualTo(75);
  }
}
