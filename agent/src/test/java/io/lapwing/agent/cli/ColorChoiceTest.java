package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ColorChoiceTest {

  private static ColorChoice choice(String... args) throws ConfigException {
    return ColorChoice.of(CommandLine.of(List.of(args), Set.of(), Set.of(ColorChoice.FLAG)));
  }

  @Test
  void theFlagCountsMoreThanNoColor() throws Exception {
    Map<String, String> noColor = Map.of("NO_COLOR", "1");
    assertThat(choice("--color=always").on(noColor)).isTrue();
    assertThat(choice("--color=never").on(Map.of())).isFalse();
    assertThat(choice().on(noColor)).isFalse();
  }

  @Test
  void anotherWordIsAUsageError() {
    assertThatThrownBy(() -> choice("--color=blue"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("flag --color: 'blue' is not one of auto, always and never");
  }
}
