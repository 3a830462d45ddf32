package io.lapwing.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

  private static CommandLine line(String words) throws ConfigException {
    return CommandLine.of(List.of(words.split(" ")), Set.of("--json"), Set.of("--url", "--kmsg"));
  }

  @Test
  void ownFlagsAreTakenAndOtherWordsKeepTheirOrder() throws Exception {
    CommandLine line =
        line("--web.listen-address=:1 --json --url http://a=b --kmsg= --path.state /x");

    assertThat(line.has("--json")).isTrue();
    assertThat(line.value("--url")).hasValue("http://a=b");
    assertThat(line.value("--kmsg")).hasValue("");
    assertThat(line.rest().words())
        .containsExactly("--web.listen-address=:1", "--path.state", "/x");
  }

  @ParameterizedTest
  @CsvSource({
    "--url, flag --url: needs a value",
    "--url --json, flag --url: needs a value",
    "--json=yes, flag --json: takes no value",
    "--json --json, flag --json: given more than once",
    "--url=a --url b, flag --url: given more than once",
  })
  void everyMistakeIsReported(String words, String problem) {
    assertThatThrownBy(() -> line(words)).isInstanceOf(ConfigException.class).hasMessage(problem);
  }

  @Test
  void aTextThatIsNotADurationIsEmpty() {
    assertThat(DurationText.read("90m")).hasValue(Duration.ofMinutes(90));
    assertThat(DurationText.read("0s")).isEmpty();
    assertThat(DurationText.read("P1D")).isEmpty();
  }
}
