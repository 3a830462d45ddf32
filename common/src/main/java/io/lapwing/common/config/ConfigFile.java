package io.lapwing.common.config;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The YAML configuration file: option names as keys, nested or dotted. Only {@code --config.file}
 * loads this class and so YAML.
 */
final class ConfigFile {
  private static final String VERSION_KEY = "version";
  private static final String VERSION = "1";

  private final Path file;
  private final String program;
  private final Map<String, Option<?>> options;
  private final Set<String> seen = new HashSet<>();
  private final OptionValues.ConfigSource source = new OptionValues.ConfigSource();

  private ConfigFile(Path file, OptionTable table) {
    this.file = file;
    this.program = table.program();
    this.options =
        table.options().stream()
            // A second file, named in this one, would not be read.
            .filter(option -> !option.equals(table.configFile()))
            .collect(Collectors.toMap(Option::name, option -> option));
  }

  static OptionValues.ConfigSource read(Path file, OptionTable table) {
    ConfigFile reading = new ConfigFile(file, table);
    YamlNode.Mapping content = YamlFile.read(file, reading.source.problems());
    if (reading.hasKnownVersion(content)) {
      reading.mapping("", content);
    }
    return reading.source;
  }

  /** Whether the file can be understood. For a newer file this is the only problem reported. */
  private boolean hasKnownVersion(YamlNode.Mapping content) {
    YamlNode node = content.entries().get(VERSION_KEY);
    if (node == null) {
      return true;
    }
    String version = node instanceof YamlNode.Scalar scalar ? scalar.text() : "";
    if (version.matches("[1-9][0-9]{0,8}") && !version.equals(VERSION)) {
      source.problems().clear();
      problem(
          node,
          VERSION_KEY,
          "this file has version "
              + version
              + ", and this "
              + program
              + " knows versions up to "
              + VERSION
              + "; use a newer "
              + program
              + ", or write the file for that version");
      return false;
    }
    if (!version.equals(VERSION)) {
      problem(
          node,
          VERSION_KEY,
          "'" + version + "' is not a version of the configuration, such as " + VERSION);
    }
    return true;
  }

  private void mapping(String path, YamlNode.Mapping mapping) {
    mapping
        .entries()
        .forEach(
            (name, node) -> {
              String key = path + name;
              Option<?> option = options.get(key);
              if (option == null) {
                section(key, node);
              } else if (seen.add(key)) {
                value(option, node);
              } else {
                problem(node, key, "set twice");
              }
            });
  }

  /** A key that is not an option: a part of the name of one, or a mistake. */
  private void section(String key, YamlNode node) {
    if (key.equals(VERSION_KEY)) {
      return;
    }
    if (options.keySet().stream().noneMatch(name -> name.startsWith(key + "."))) {
      Set<String> known = new HashSet<>(options.keySet());
      known.add(VERSION_KEY);
      problem(node, key, "unknown key" + SpellingHint.of(key, known));
    } else if (node instanceof YamlNode.Mapping mapping) {
      mapping(key + ".", mapping);
    } else if (node instanceof YamlNode.Scalar || node instanceof YamlNode.Items) {
      problem(node, key, "is a section, not an option");
    }
  }

  private void value(Option<?> option, YamlNode node) {
    if (node instanceof YamlNode.Scalar scalar) {
      set(option, node, scalar.text());
    } else if (node instanceof YamlNode.Items list && option.type().repeatable()) {
      list(option, list);
    } else if (node instanceof YamlNode.Empty) {
      problem(node, option.name(), "has no value");
    } else if (!(node instanceof YamlNode.Invalid)) {
      problem(node, option.name(), "needs one value");
    }
  }

  private void list(Option<?> option, YamlNode.Items list) {
    List<String> texts =
        list.items().stream()
            .filter(YamlNode.Scalar.class::isInstance)
            .map(item -> ((YamlNode.Scalar) item).text())
            .toList();
    if (texts.size() == list.items().size()) {
      set(option, list, String.join(",", texts));
    } else {
      problem(list, option.name(), "needs a list of values");
    }
  }

  private void set(Option<?> option, YamlNode node, String text) {
    source.add(option, text, place(node, option.name()));
  }

  private void problem(YamlNode node, String key, String message) {
    source.problems().add(place(node, key) + ": " + message);
  }

  private String place(YamlNode node, String key) {
    return file + ":" + node.line() + ": " + key;
  }
}
