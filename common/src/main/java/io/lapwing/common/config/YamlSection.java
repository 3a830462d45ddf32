package io.lapwing.common.config;

import io.lapwing.common.text.PlainText;
import java.nio.file.Path;
import java.util.ArrayList;
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
public record YamlSection(Path file, String path, YamlNode.Mapping content, List<String> problems) {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** The whole file; empty if it cannot be read. */
  public static YamlSection read(Path file, List<String> problems) {
    return new YamlSection(file, "", YamlFile.read(file, problems), problems);
  }

  /** Every document of a file, such as a manifest of Kubernetes; none if it cannot be read. */
  public static List<YamlSection> documents(Path file, List<String> problems) {
    return YamlFile.all(file, problems).stream()
        .map(document -> new YamlSection(file, "", document, problems))
        .toList();
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
    YamlNode node = content.entries().get(key);
    if (node instanceof YamlNode.Mapping mapping) {
      return Optional.of(new YamlSection(file, path + key + ".", mapping, problems));
    }
    if (node instanceof YamlNode.Scalar || node instanceof YamlNode.Items) {
      problem(key, "is a section: it needs keys and values");
    }
    return Optional.empty();
  }

  public <E> Optional<E> word(String key, E[] values, Function<E, String> text) {
    Map<String, E> words = Stream.of(values).collect(Collectors.toMap(text, value -> value));
    Optional<String> given = text(key);
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
    Optional<String> given = text(key);
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

  /** A single value, as it is written. */
  public Optional<String> text(String key) {
    YamlNode node = content.entries().get(key);
    if (node instanceof YamlNode.Scalar scalar) {
      return Optional.of(scalar.text());
    }
    if (node instanceof YamlNode.Empty) {
      problem(key, "has no value");
    } else if (node != null && !(node instanceof YamlNode.Invalid)) {
      problem(key, "needs one value");
    }
    return Optional.empty();
  }

  /** The items of a list of sections. */
  public List<YamlSection> sections(String key) {
    List<YamlSection> sections = new ArrayList<>();
    List<YamlNode> items = items(key);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof YamlNode.Mapping mapping) {
        String path = this.path + key + "[" + i + "].";
        sections.add(new YamlSection(file, path, mapping, problems));
      } else if (!(items.get(i) instanceof YamlNode.Invalid)) {
        problem(key, "item " + (i + 1) + " is a section: it needs keys and values");
      }
    }
    return sections;
  }

  /** The items of a list of single values. */
  public List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (YamlNode item : items(key)) {
      if (item instanceof YamlNode.Scalar scalar) {
        texts.add(scalar.text());
      } else if (!(item instanceof YamlNode.Invalid)) {
        problem(key, "needs a list of single values");
      }
    }
    return texts;
  }

  private List<YamlNode> items(String key) {
    YamlNode node = content.entries().get(key);
    if (node instanceof YamlNode.Items list) {
      return list.items();
    }
    if (node != null && !(node instanceof YamlNode.Invalid)) {
      problem(key, "needs a list");
    }
    return List.of();
  }

  /** The line of a key; the line of the section if the key is missing. */
  public int line(String key) {
    YamlNode node = content.entries().get(key);
    return node == null ? Math.max(1, content.line()) : node.line();
  }

  /** Reports a problem of a key that may be missing, with a line in any case. */
  public void missing(String key, String message) {
    problems.add(file + ":" + line(key) + ": " + path + key + ": " + message);
  }

  private void bad(String key, String text, String what) {
    problem(key, "'" + text + "' " + what);
  }

  public void problem(String key, String message) {
    YamlNode node = content.entries().get(key);
    String line = node == null ? "" : ":" + node.line();
    problems.add(file + line + ": " + path + key + ": " + message);
  }
}
