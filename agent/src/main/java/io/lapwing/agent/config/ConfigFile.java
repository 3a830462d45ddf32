package io.lapwing.agent.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The YAML file: keys nested or dotted, read token by token so that every problem has its line.
 * Loading this class loads YAML, so only a given {@code --config.file} does.
 */
final class ConfigFile {
  private final Path file;
  private final Map<String, Option<?>> options;
  private final Layer layer = new Layer();
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final Migration migration;
  private final Set<String> names;

  private ConfigFile(Path file, List<Option<?>> options, OldKeys oldKeys) {
    this.file = file;
    this.migration = new Migration(oldKeys);
    this.options =
        options.stream()
            // A file that names the next file would never be looked at.
            .filter(option -> !option.equals(Options.CONFIG_FILE))
            .collect(Collectors.toMap(Option::name, option -> option));
    this.names = new HashSet<>(this.options.keySet());
    this.names.addAll(oldKeys.names());
  }

  /** Reads a file of this version or an older one. */
  static Layer read(Path file, List<Option<?>> options, OldKeys oldKeys) {
    ConfigFile reading = new ConfigFile(file, options, oldKeys);
    try (YAMLParser yaml = new YAMLFactory().createParser(Files.readString(file))) {
      reading.document(yaml);
      reading.migration.settle(reading.layer);
    } catch (JsonProcessingException e) {
      reading.problem(e.getLocation(), "is not YAML: " + firstLine(e.getOriginalMessage()));
    } catch (CharacterCodingException e) {
      reading.layer.problems().add(file + ": is not UTF-8 text");
    } catch (IOException e) {
      reading.layer.problems().add(file + ": cannot be read: " + e.getMessage());
    }
    return reading.layer;
  }

  private void document(YAMLParser yaml) throws IOException {
    JsonToken token = yaml.nextToken();
    if (token == JsonToken.START_OBJECT) {
      mapping(yaml);
    } else if (token != null && token != JsonToken.VALUE_NULL) {
      problem(yaml.currentTokenLocation(), "is not a list of keys and values");
    }
  }

  private void mapping(YAMLParser yaml) throws IOException {
    while (yaml.nextToken() == JsonToken.FIELD_NAME) {
      path.addLast(yaml.currentName());
      JsonLocation place = yaml.currentTokenLocation();
      value(String.join(".", path), place, yaml);
      path.removeLast();
    }
  }

  private void value(String key, JsonLocation place, YAMLParser yaml) throws IOException {
    JsonToken token = yaml.nextToken();
    Option<?> option = options.get(migration.today(at(place), key));
    if (key.equals(Migration.VERSION)) {
      version(place, token, yaml);
    } else if (migration.isRemoved(key)) {
      yaml.skipChildren();
    } else if (option == null) {
      section(key, place, token, yaml);
    } else if (!seen.add(option.name())) {
      yaml.skipChildren();
      problem(place, option.name() + ": set twice");
    } else {
      option(option, place, token, yaml);
    }
  }

  private void version(JsonLocation place, JsonToken token, YAMLParser yaml) throws IOException {
    String text = token.isScalarValue() ? yaml.getText() : "";
    yaml.skipChildren();
    try {
      migration.version(at(place) + ": " + Migration.VERSION, text);
    } catch (BadValue e) {
      problem(place, Migration.VERSION + ": '" + text + "' " + e.text());
    }
    if (!seen.add(Migration.VERSION)) {
      problem(place, Migration.VERSION + ": set twice");
    }
  }

  /** A key that is no option: part of the name of one, or a mistake. */
  private void section(String key, JsonLocation place, JsonToken token, YAMLParser yaml)
      throws IOException {
    boolean known = names.stream().anyMatch(name -> name.startsWith(key + "."));
    if (known && token == JsonToken.START_OBJECT) {
      mapping(yaml);
      return;
    }
    yaml.skipChildren();
    if (!known) {
      problem(place, key + ": unknown key" + hint(key));
    } else if (token != JsonToken.VALUE_NULL) {
      problem(place, key + ": is a section, not an option");
    }
  }

  private String hint(String key) {
    Set<String> known = new HashSet<>(options.keySet());
    known.add(Migration.VERSION);
    return Nearest.hint(key, known);
  }

  private void option(Option<?> option, JsonLocation place, JsonToken token, YAMLParser yaml)
      throws IOException {
    String name = option.name();
    if (yaml.isCurrentAlias()) {
      problem(place, name + ": aliases are not understood; write the value out");
    } else if (token == JsonToken.START_ARRAY && option.type().repeatable()) {
      give(option, place, list(yaml));
    } else if (token == JsonToken.VALUE_NULL) {
      problem(place, name + ": has no value");
    } else if (token.isScalarValue()) {
      give(option, place, yaml.getText());
    } else {
      yaml.skipChildren();
      problem(place, name + ": needs one value");
    }
  }

  private static String list(YAMLParser yaml) throws IOException {
    StringBuilder joined = new StringBuilder();
    while (yaml.nextToken() != JsonToken.END_ARRAY) {
      joined.append(joined.isEmpty() ? "" : ",").append(yaml.getText());
      yaml.skipChildren();
    }
    return joined.toString();
  }

  private void give(Option<?> option, JsonLocation place, String text) {
    layer.given().add(new Given(option, text, at(place) + ": " + option.name()));
  }

  private void problem(JsonLocation place, String message) {
    layer.problems().add(at(place) + ": " + message);
  }

  private String at(JsonLocation place) {
    return place == null ? file.toString() : file + ":" + place.getLineNr();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
