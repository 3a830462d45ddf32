package io.lapwing.agent.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line of known flags, each once, without picocli: {@code --name=value}, {@code
 * --name value}, {@code --switch}. Anything else is picocli's to read, help to print and mistakes
 * to name.
 *
 * <p>It is here for the start: picocli's class files are of a format that no class-data archive
 * takes, and loading them costs a tenth of a second, a third of the time to an open port.
 */
final class PlainFlags {
  private final Map<String, Option<?>> flags = new HashMap<>();
  private final Map<String, Option<?>> negations = new HashMap<>();

  PlainFlags(List<Option<?>> options) {
    for (Option<?> option : options) {
      flags.put(option.flag(), option);
      if (option.isCollector()) {
        negations.put(option.negatedFlag(), option);
      }
    }
  }

  /** Empty when a word is not as plain as that. */
  Optional<Layer> read(List<String> args) {
    Map<String, Given> given = new HashMap<>();
    for (int i = 0; i < args.size(); i++) {
      String next = i + 1 < args.size() ? args.get(i + 1) : "--";
      Given read = read(args.get(i), next);
      if (read == null || given.put(read.option().name(), read) != null) {
        return Optional.empty();
      }
      if (takesNext(args.get(i))) {
        i++;
      }
    }
    Layer layer = new Layer();
    layer.given().addAll(given.values());
    return Optional.of(layer);
  }

  private @Nullable Given read(String word, String next) {
    int equals = word.indexOf('=');
    if (equals >= 0) {
      return given(flags.get(word.substring(0, equals)), word.substring(equals + 1));
    }
    if (negations.containsKey(word)) {
      return next.startsWith("--") ? given(negations.get(word), "false", word) : null;
    }
    boolean alone = next.startsWith("-");
    Option<?> option = flags.get(word);
    if (option == null || alone != option.isSwitch()) {
      return null;
    }
    return given(option, alone ? "true" : next);
  }

  private boolean takesNext(String word) {
    Option<?> option = flags.get(word);
    return option != null && !option.isSwitch();
  }

  private static @Nullable Given given(@Nullable Option<?> option, String text) {
    return option == null ? null : given(option, text, option.flag());
  }

  private static @Nullable Given given(@Nullable Option<?> option, String text, String flag) {
    return option == null ? null : new Given(option, text, "flag " + flag);
  }
}
