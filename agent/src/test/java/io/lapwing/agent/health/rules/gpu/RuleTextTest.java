package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTextTest {

  @Test
  void thingsAreCountedAndListed() {
    assertThat(RuleText.count(1, "row")).isEqualTo("1 row");
    assertThat(RuleText.count(0, "row")).isEqualTo("0 rows");
    assertThat(RuleText.count(1.5, "row")).isEqualTo("1.5 rows");
    assertThat(RuleText.list(List.of())).isEmpty();
    assertThat(RuleText.named("link", List.of(5))).isEqualTo("link 5");
    assertThat(RuleText.named("link", List.of(5, 7))).isEqualTo("links 5 and 7");
    assertThat(RuleText.named("link", List.of(1, 5, 7))).isEqualTo("links 1, 5 and 7");
  }

  @Test
  void figuresAreShort() {
    assertThat(RuleText.number(3e9)).isEqualTo("3000000000");
    assertThat(RuleText.number(-2)).isEqualTo("-2");
    assertThat(RuleText.percent(0)).isEqualTo("0 %");
    assertThat(RuleText.percent(0.004)).isEqualTo("less than 1 %");
    assertThat(RuleText.percent(0.356)).isEqualTo("36 %");
    assertThat(RuleText.duration(Duration.ofSeconds(119))).isEqualTo("119 s");
    assertThat(RuleText.duration(Duration.ofMinutes(10))).isEqualTo("10 min");
  }
}
