package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
