package io.lapwing.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "1s, PT1S",
    "1h30m, PT1H30M",
    "1.5s, PT1.5S",
    ".5s, PT0.5S",
    "250ms, PT0.25S",
    "10us, PT0.00001S",
    "7, PT0.000000007S",
    "0s, PT0S",
  })
  void durationsAreReadAsGoReadsThem(String text, Duration duration) {
    assertThat(DurationText.GoDurationText.read(text)).hasValue(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "soon", "s", "-1s", "1 s", "1d", "1s ", "1h30", "9999999999999h", "1.2.3s"})
  void nothingElseIsOne(String text) {
    assertThat(DurationText.GoDurationText.read(text)).isEmpty();
  }
}
