package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.DurationText;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.config.SpellingHint;
import io.lapwing.common.config.ValueType;
import io.lapwing.common.text.TimeText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class TextPropertyTest {

  @Property
  void aDurationIsReadBackFromItsText(@ForAll @IntRange(min = 1) int millis)
      throws ValueType.Invalid {
    Duration duration = Duration.ofMillis(millis);

    // A number of more than nine digits is refused, and no duration in use has one.
    if (TimeText.exact(duration).length() <= 11) {
      assertThat(DurationText.parse(TimeText.exact(duration))).isEqualTo(duration);
    }
  }

  @Property
  void aListenAddressIsReadBackFromItsText(
      @ForAll @AlphaChars @StringLength(max = 20) String host,
      @ForAll @IntRange(max = 65_535) int port) {
    ListenAddress address = new ListenAddress(host, port);

    assertThat(ListenAddress.parse(address.toString())).isEqualTo(Optional.of(address));
  }

  @Property
  void aUnixSocketIsReadBackFromItsText(@ForAll @AlphaChars @StringLength(min = 1) String name) {
    ListenAddress address = ListenAddress.of(Path.of("/run", name));

    assertThat(address.toString()).isEqualTo("unix:/run/" + name);
    assertThat(ListenAddress.parse(address.toString())).isEqualTo(Optional.of(address));
  }

  @Property
  void aTypingMistakeOfOneLetterIsRecognised(@ForAll @IntRange(max = 9) int position) {
    String word = "log.format";
    String mistyped = word.substring(0, position) + "#" + word.substring(position + 1);

    assertThat(SpellingHint.of(mistyped, List.of("log.level", word, "labels")))
        .isEqualTo("; did you mean " + word + "?");
  }

  @Property
  void noCommandLineBreaksTheReader(@ForAll List<@StringLength(max = 12) String> args) {
    try {
      SettingsReader.read(args, Map.of(), List.of());
    } catch (ConfigException e) {
      assertThat(e.problems()).isNotEmpty().allSatisfy(line -> assertThat(line).contains(": "));
    }
  }
}
