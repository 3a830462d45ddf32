package io.lapwing.agent.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.top.View.Section;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyboardTest {

  private static final View START = View.start(Duration.ofSeconds(2));

  private static View press(View view, String keys) {
    View now = view;
    for (int i = 0; i < keys.length(); i++) {
      now = Keyboard.press(Key.of(keys.charAt(i)), now, 20).orElseThrow();
    }
    return now;
  }

  @Test
  void qAndCtrlCQuit() {
    assertThat(Keyboard.press(Key.of('q'), START, 20)).isEmpty();
    assertThat(Keyboard.press(Key.of(3), press(START, "/ab"), 20)).isEmpty();
    assertThat(Keyboard.press(Key.of(-1), START, 20)).as("the terminal is gone").isEmpty();
  }

  @Test
  void aDigitOrTabChoosesASection() {
    assertThat(press(START, "4").section()).isEqualTo(Section.TRAINING);
    assertThat(press(START, "40").section()).isEqualTo(Section.ALL);
    assertThat(press(START, "\t\t").section()).isEqualTo(Section.EFA);
    assertThat(press(START, "\t\t\t\t\t\t").section()).isEqualTo(Section.ALL);
  }

  @Test
  void theFilterIsTypedAndKept() {
    View typed = press(START, "/alice7\u007f\r");

    assertThat(typed.filter()).isEqualTo("alice");
    assertThat(typed.typing()).isFalse();
    assertThat(press(START, "/q").typing()).as("q is a letter of the filter").isTrue();
    assertThat(Keyboard.press(Key.Named.ESCAPE, typed, 20).orElseThrow().filter()).isEmpty();
  }

  @Test
  void theIntervalStaysBetweenASecondAndAMinute() {
    assertThat(press(START, "+++++++++").interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(press(START, "---").interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(press(View.start(Duration.ofHours(1)), "+").interval())
        .isEqualTo(Duration.ofHours(1));
  }

  @Test
  void pauseAndHelpAreSwitches() {
    assertThat(press(START, "p").paused()).isTrue();
    assertThat(press(START, "p ").paused()).isFalse();
    assertThat(press(START, "h").help()).isTrue();
    assertThat(press(START, "h?").help()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "[A,UP",
    "OA,UP",
    "[B,DOWN",
    "[5~,PAGE_UP",
    "[6~,PAGE_DOWN",
    "OH,HOME",
    "[4~,END",
    "'',ESCAPE",
    "[1;5C,OTHER"
  })
  void keysWithoutACharacterAreSequences(String sequence, Key.Named key) {
    assertThat(Key.ofSequence(sequence)).isEqualTo(key);
  }
}
