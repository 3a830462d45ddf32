package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenFileLimitTest {

  @ParameterizedTest
  @CsvSource({"64, 64", "4095, 4095", "4096, -1", "16384, -1", "unlimited, -1"})
  void aLimitBelowWhatALargeNodeTakesIsTooLow(String soft, long tooLow) {
    String limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             96186                96186                processes
        Max open files            %-20s 1048576              files
        Max locked memory         8388608              8388608              bytes
        """
            .formatted(soft);
    assertThat(OpenFileLimit.tooLow(limits).orElse(-1)).isEqualTo(tooLow);
  }

  @ParameterizedTest
  @CsvSource({"''", "Max open files", "garbage"})
  void anotherTextHasNoLimit(String limits) {
    assertThat(OpenFileLimit.tooLow(limits)).isEmpty();
  }
}
