package io.lapwing.agent.health.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {

  @Test
  void thingsAreCountedAndListed() {
    assertThat(Words.count(1, "row")).isEqualTo("1 row");
    assertThat(Words.count(0, "row")).isEqualTo("0 rows");
    assertThat(Words.count(1.5, "row")).isEqualTo("1.5 rows");
    assertThat(Words.list(List.of())).isEmpty();
    assertThat(Words.named("link", List.of(5))).isEqualTo("link 5");
    assertThat(Words.named("link", List.of(5, 7))).isEqualTo("links 5 and 7");
    assertThat(Words.named("link", List.of(1, 5, 7))).isEqualTo("links 1, 5 and 7");
  }

  @Test
  void figuresAreShort() {
    assertThat(Words.number(3e9)).isEqualTo("3000000000");
    assertThat(Words.number(-2)).isEqualTo("-2");
    assertThat(Words.percent(0)).isEqualTo("0 %");
    assertThat(Words.percent(0.004)).isEqualTo("less than 1 %");
    assertThat(Words.percent(0.356)).isEqualTo("36 %");
    assertThat(Words.duration(Duration.ofSeconds(119))).isEqualTo("119 s");
    assertThat(Words.duration(Duration.ofMinutes(10))).isEqualTo("10 min");
  }
}
