package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that may stand for themselves, and those that look like another's id. */
class JobNameTest {

  @ParameterizedTest
  @ValueSource(strings = {"llama", "experiment-7", "3kx8e2qd", "team/run.2", "a=1+b=2"})
  void aNameIsNoId(String name) {
    assertThat(JobName.isNoId(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "4711",
        "4711_3",
        "4711-0",
        "4711.batch",
        "4711 x",
        "4711\ufe0f",
        "4711\u034f",
        "4711\u3164",
        "\u31644711",
        "4711\u2800",
        "\uff14\uff17\uff11\uff11",
        "\u0430bc"
      })
  void whatCanBeTakenForAnIdOrAnotherNameIsNone(String name) {
    assertThat(JobName.isNoId(name)).isFalse();
  }

  @Test
  void theNumberOfAnArrayTask() {
    assertThat(JobName.number("4711_3")).hasValue("4711");
    assertThat(JobName.number("4711.batch")).hasValue("4711");
    assertThat(JobName.number("4711\ufe0f")).isEmpty();
    assertThat(JobName.number("llama")).isEmpty();
  }
}
