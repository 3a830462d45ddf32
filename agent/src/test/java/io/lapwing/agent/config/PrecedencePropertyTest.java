package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Option;
import io.lapwing.common.text.TimeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class PrecedencePropertyTest {
  private static final Map<Option<?>, List<String>> TEXTS =
      Map.of(
          Options.MAX_REQUESTS, List.of("1", "2", "3"),
          Options.TELEMETRY_PATH, List.of("/a", "/b", "/c"),
          Options.LOG_LEVEL, List.of("debug", "warn", "error"),
          Options.LABELS, List.of("lean", "full", "lean"),
          Options.XID_WINDOW, List.of("1m", "2m", "3m"),
          Options.ONCE, List.of("true", "false", "true"));

  /** Which of file, variable and flag set an option; null where one does not. */
  record Place(boolean file, boolean variable, boolean flag) {
    @Nullable String holds(List<String> texts) {
      if (flag) {
        return texts.get(2);
      }
      if (variable) {
        return texts.get(1);
      }
      return file ? texts.get(0) : null;
    }
  }

  @Property(tries = 200)
  void everyOptionHasTheValueOfItsStrongestPlace(@ForAll("places") Map<String, Place> places)
      throws IOException, ConfigException {
    StringBuilder file = new StringBuilder();
    Map<String, String> variables = new HashMap<>();
    List<String> args = new ArrayList<>();
    Map<String, String> expected = new HashMap<>();
    TEXTS.forEach(
        (option, texts) -> {
          Place place = places.getOrDefault(option.name(), new Place(false, false, false));
          if (place.file()) {
            file.append(option.name()).append(": ").append(texts.get(0)).append('\n');
          }
          if (place.variable()) {
            variables.put(option.variable(Options.PREFIX), texts.get(1));
          }
          if (place.flag()) {
            args.add(option.flag() + "=" + texts.get(2));
          }
          String holds = place.holds(texts);
          expected.put(option.name(), holds == null ? option.defaultText() : holds);
        });

    assertThat(effective(file.toString(), variables, args)).isEqualTo(expected);
  }

  private static Map<String, String> effective(
      String yaml, Map<String, String> variables, List<String> args)
      throws IOException, ConfigException {
    Path file = Files.createTempFile("lapwing", ".yml");
    try {
      Files.writeString(file, yaml);
      List<String> all = new ArrayList<>(args);
      all.add("--config.file=" + file);
      Settings settings =
          ((SettingsReader.Invocation.Run) SettingsReader.read(all, variables, List.of()))
              .settings();
      return Map.of(
          "web.max-requests", String.valueOf(settings.web().maxRequests()),
          "web.telemetry-path", settings.web().telemetryPath(),
          "log.level", settings.log().level().toString(),
          "labels", settings.gpu().labels().toString(),
          "gpu.xid-window", text(settings.gpu().xidWindow()),
          "once", String.valueOf(settings.once()));
    } finally {
      Files.delete(file);
    }
  }

  private static String text(Duration duration) {
    return TimeText.exact(duration);
  }

  @Provide
  Arbitrary<Map<String, Place>> places() {
    Arbitrary<Boolean> coin = Arbitraries.of(true, false);
    Arbitrary<Place> place = Combinators.combine(coin, coin, coin).as(Place::new);
    return Arbitraries.maps(
        Arbitraries.of(TEXTS.keySet().stream().map(Option::name).sorted().toList()), place);
  }
}
