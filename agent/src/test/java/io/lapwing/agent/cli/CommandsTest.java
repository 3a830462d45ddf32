package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest {

  @ParameterizedTest
  @CsvSource({
    "chek,check",
    "chekc,check",
    "agnet,agent",
    "maintenence,maintenance",
    "tpo,top",
    "relase,release"
  })
  void aTypingMistakeIsAnsweredWithTheCommand(String typed, String meant) {
    assertThat(Commands.unknown(typed)).contains("(did you mean " + meant + "?)");
  }

  @ParameterizedTest
  @CsvSource({"frobnicate", "xyz", "a"})
  void anotherWordIsNoMistake(String typed) {
    assertThat(Commands.unknown(typed))
        .isEqualTo("unknown command '" + typed + "'; lapwing help lists all commands");
  }

  @Test
  void theWordIsShownWithoutControlCharacters() {
    assertThat(Commands.unknown("\u001b[2J")).contains("'?[2J'");
  }
}
