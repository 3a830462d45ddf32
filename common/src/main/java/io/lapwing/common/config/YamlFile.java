package io.lapwing.common.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads YAML into a tree with line numbers. Duplicate keys, aliases and a second document are
 * errors.
 */
record YamlFile(Path file, List<String> problems) {
  private static final YamlNode.Mapping EMPTY = new YamlNode.Mapping(0, Map.of());

  /** The content of a file; empty if it has none or cannot be read. */
  static YamlNode.Mapping read(Path file, List<String> problems) {
    List<YamlNode.Mapping> documents = new YamlFile(file, problems).documents(false);
    return documents.isEmpty() ? EMPTY : documents.get(0);
  }

  /** The documents of a file, such as a manifest; none if it cannot be read. */
  static List<YamlNode.Mapping> all(Path file, List<String> problems) {
    return new YamlFile(file, problems).documents(true);
  }

  private List<YamlNode.Mapping> documents(boolean several) {
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      problems.add(file + ": is not a regular file");
      return List.of();
    }
    try (YAMLParser yaml = new YAMLFactory().createParser(Files.readString(file))) {
      return documents(yaml, several);
    } catch (JsonProcessingException e) {
      String message = e.getOriginalMessage().lines().findFirst().orElse("");
      problem(e.getLocation(), "is not YAML: " + message);
    } catch (IOException e) {
      problems.add(file + ": " + reason(file, e));
    }
    return List.of();
  }

  private static String reason(Path file, IOException e) {
    if (Files.isDirectory(file)) {
      return "is a directory, not a file";
    }
    if (e instanceof NoSuchFileException) {
      return "does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "cannot be read: permission denied";
    }
    return e instanceof CharacterCodingException
        ? "is not UTF-8 text"
        : "cannot be read: " + e.getMessage();
  }

  private List<YamlNode.Mapping> documents(YAMLParser yaml, boolean several) throws IOException {
    List<YamlNode.Mapping> documents = new ArrayList<>();
    for (JsonToken token = yaml.nextToken(); token != null; token = yaml.nextToken()) {
      if (!several && !documents.isEmpty()) {
        problem(yaml.currentTokenLocation(), "a second document starts here; only one is read");
        return documents;
      }
      if (token == JsonToken.START_OBJECT) {
        documents.add(mapping("", 1, yaml));
      } else if (token == JsonToken.VALUE_NULL) {
        documents.add(EMPTY);
      } else {
        problem(yaml.currentTokenLocation(), "is not a mapping of keys to values");
        return List.of();
      }
    }
    return documents;
  }

  private YamlNode.Mapping mapping(String path, int line, YAMLParser yaml) throws IOException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    while (yaml.nextToken() == JsonToken.FIELD_NAME) {
      String key = path + yaml.currentName();
      JsonLocation place = yaml.currentTokenLocation();
      String name = yaml.currentName();
      yaml.nextToken();
      YamlNode value = value(key, place, yaml);
      if (entries.putIfAbsent(name, value) != null) {
        problem(place, key + ": set twice");
      }
    }
    return new YamlNode.Mapping(line, entries);
  }

  private YamlNode value(String key, JsonLocation place, YAMLParser yaml) throws IOException {
    int line = place.getLineNr();
    if (yaml.isCurrentAlias()) {
      problem(place, key + ": aliases are not supported; write the value out");
      return new YamlNode.Invalid(line);
    }
    return switch (yaml.currentToken()) {
      case START_OBJECT -> mapping(key + ".", line, yaml);
      case START_ARRAY -> items(key, line, yaml);
      case VALUE_NULL -> new YamlNode.Empty(line);
      default -> new YamlNode.Scalar(line, yaml.getText());
    };
  }

  private YamlNode items(String key, int line, YAMLParser yaml) throws IOException {
    List<YamlNode> items = new ArrayList<>();
    while (yaml.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(key + "[" + items.size() + "]", yaml.currentTokenLocation(), yaml));
    }
    return new YamlNode.Items(line, List.copyOf(items));
  }

  private void problem(@Nullable JsonLocation place, String message) {
    problems.add((place == null ? file : file + ":" + place.getLineNr()) + ": " + message);
  }
}
