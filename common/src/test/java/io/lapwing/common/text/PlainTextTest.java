package io.lapwing.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainTextTest {

  @Test
  void aProcessNameCannotMoveTheCursor() {
    assertThat(PlainText.of(" a\u001b[2J\nb\u202ec\u009b \t d ")).isEqualTo("a?[2J b?c? d");
  }

  @Property
  void nothingButTextIsLeft(@ForAll String text, @ForAll @IntRange(min = 3, max = 90) int most) {
    assertThat(PlainText.of(text).codePoints())
        .noneMatch(Character::isISOControl)
        .noneMatch(c -> Character.getType(c) == Character.FORMAT);
    assertThat(PlainText.of(text, most).length()).isLessThanOrEqualTo(most);
  }

  @Test
  void aParagraphHasAStraightEdge() {
    String text = "word ".repeat(60) + "x".repeat(120) + " end";

    String paragraph = Paragraph.of("why  ", "     ", text);

    assertThat(paragraph).endsWith("\n");
    assertThat(paragraph.lines()).first().asString().startsWith("why  word");
    assertThat(paragraph.lines().skip(1)).allMatch(line -> line.matches(" {5}[^ ].*"));
    assertThat(paragraph.lines().filter(line -> line.length() > 100))
        .containsExactly("     " + "x".repeat(120));
    assertThat(PlainText.of(paragraph)).isEqualTo("why " + PlainText.of(text));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT59S, 59 s",
    "PT5M59S, 5 min",
    "PT2H5M, 2 h 5 min",
    "PT76H, 3 d 4 h",
  })
  void aDurationHasTwoUnits(Duration span, String text) {
    assertThat(TimeText.span(span)).isEqualTo(text);
  }

  @Test
  void momentsAreInUtc() {
    Instant at = Instant.parse("2026-11-20T03:12:44.9Z");

    assertThat(TimeText.moment(at)).isEqualTo("2026-11-20 03:12:44Z");
    assertThat(TimeText.ago(at, at.plusSeconds(125))).isEqualTo("2026-11-20 03:12:44Z, 2 min ago");
    assertThat(TimeText.ago(at, at.minusSeconds(125))).isEqualTo("2026-11-20 03:12:44Z");
    assertThat(TimeText.brief(at, at.plusSeconds(125))).isEqualTo("03:12:44Z");
    assertThat(TimeText.brief(at, at.plus(Duration.ofDays(2)))).isEqualTo("2026-11-20");
  }
}
