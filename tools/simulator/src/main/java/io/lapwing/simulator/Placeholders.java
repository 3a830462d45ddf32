package io.lapwing.simulator;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Placeholders such as {@code {pci:3}} in kernel lines, for values of a node's GPU 3. */
final class Placeholders {
  static final String KNOWN = "{pci:N}, {uuid:N}, {serial:N}, {pid:N}";

  private static final Pattern FORM = Pattern.compile("\\{([a-z]+):(\\d{1,2})}");

  private Placeholders() {}

  /** The first that is not in {@link #KNOWN}. */
  static Optional<String> unknown(String text) {
    return FORM.matcher(text)
        .results()
        .filter(found -> !found.group(1).matches("pci|uuid|serial|pid"))
        .map(found -> found.group())
        .findFirst();
  }

  static IntStream gpus(String text) {
    return FORM.matcher(text).results().mapToInt(found -> Integer.parseInt(found.group(2)));
  }

  /**
   * Fills in all placeholders.
   *
   * @param value of a name and a GPU
   */
  static String filled(String text, BiFunction<String, Integer, String> value) {
    return FORM.matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    value.apply(found.group(1), Integer.valueOf(found.group(2)))));
  }
}
