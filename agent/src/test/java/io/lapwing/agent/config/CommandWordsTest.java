package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandWordsTest {

  private static CommandWords words(String line) throws ConfigException {
    return CommandWords.of(List.of(line.split(" ")), Set.of("--json"), Set.of("--url", "--kmsg"));
  }

  @Test
  void itsOwnFlagsAreTakenOutAndTheOthersLeftInTheirOrder() throws Exception {
    CommandWords words =
        words("--web.listen-address=:1 --json --url http://a=b --kmsg= --path.state /x");

    assertThat(words.has("--json")).isTrue();
    assertThat(words.value("--url")).hasValue("http://a=b");
    assertThat(words.value("--kmsg")).hasValue("");
    assertThat(words.rest()).containsExactly("--web.listen-address=:1", "--path.state", "/x");
  }

  @ParameterizedTest
  @CsvSource({
    "--url, flag --url: needs a value",
    "--json=yes, flag --json: takes no value",
    "--json --json, flag --json: given more than once",
    "--url=a --url b, flag --url: given more than once",
  })
  void whatIsWrongIsNamed(String line, String problem) {
    assertThatThrownBy(() -> words(line)).isInstanceOf(ConfigException.class).hasMessage(problem);
  }

  @Test
  void aDurationIsReadOrIsNone() {
    assertThat(DurationText.read("90m")).hasValue(Duration.ofMinutes(90));
    assertThat(DurationText.read("0s")).isEmpty();
    assertThat(DurationText.read("P1D")).isEmpty();
  }
}
