package io.lapwing.common.config;

import io.lapwing.common.text.PlainText;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A section of a YAML file. A value of the wrong type is a problem and counts as not given. The
 * path is {@code xids.63.}; empty for the whole file.
 */
public record YamlSection(
    Path file, String path, YamlFile.YamlNode.Mapping content, List<String> problems) {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** The whole file; empty if it cannot be read. */
  public static YamlSection read(Path file, List<String> problems) {
    return new YamlSection(file, "", YamlFile.read(file, problems), problems);
  }

  public Set<String> keys() {
    return content.entries().keySet();
  }

  /** Reports all other keys as unknown. */
  public void allow(Collection<String> known) {
    keys().stream()
        .filter(key -> !known.contains(key))
        .forEach(key -> problem(key, "unknown key" + SpellingHint.of(key, known)));
  }

  public Optional<YamlSection> section(String key) {
    YamlFile.YamlNode node = content.entries().get(key);
    if (node instanceof YamlFile.YamlNode.Mapping mapping) {
      return Optional.of(new YamlSection(file, path + key + ".", mapping, problems));
    }
    if (node instanceof YamlFile.YamlNode.Scalar || node instanceof YamlFile.YamlNode.Items) {
      problem(key, "is a section: it needs keys and values");
    }
    return Optional.empty();
  }

  public <E> Optional<E> word(String key, E[] values, Function<E, String> text) {
    Map<String, E> words = Stream.of(values).collect(Collectors.toMap(text, value -> value));
    Optional<String> given = scalar(key);
    if (given.isPresent() && !words.containsKey(given.get())) {
      bad(
          key,
          given.get(),
          "is not one of " + Stream.of(values).map(text).collect(Collectors.joining(", ")));
    }
    return given.map(words::get);
  }

  public Optional<Boolean> flag(String key) {
    return word(key, new Boolean[] {true, false}, String::valueOf);
  }

  /** A number from {@code least} to {@code most}, both included. */
  public OptionalDouble number(String key, double least, double most) {
    Optional<String> given = scalar(key);
    if (given.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (!NUMBER.matcher(given.get()).matches()) {
      bad(key, given.get(), "is not a number");
      return OptionalDouble.empty();
    }
    double number = Double.parseDouble(given.get());
    if (number < least || number > most) {
      bad(
          key,
          given.get(),
          "is not from " + PlainText.number(least) + " to " + PlainText.number(most));
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(number);
  }

  private Optional<String> scalar(String key) {
    YamlFile.YamlNode node = content.entries().get(key);
    if (node instanceof YamlFile.YamlNode.Scalar scalar) {
      return Optional.of(scalar.text());
    }
    if (node instanceof YamlFile.YamlNode.Empty) {
      problem(key, "has no value");
    } else if (node != null && !(node instanceof YamlFile.YamlNode.Invalid)) {
      problem(key, "needs one value");
    }
    return Optional.empty();
  }

  private void bad(String key, String text, String what) {
    problem(key, "'" + text + "' " + what);
  }

  public void problem(String key, String message) {
    YamlFile.YamlNode node = content.entries().get(key);
    String line = node == null ? "" : ":" + node.line();
    problems.add(file + line + ": " + path + key + ": " + message);
  }
}
