package io.lapwing.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.rules.promql.Promql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rule files of a folder: {@code alert-rules/*.yml} is the detailed set. */
public record RuleFiles(List<RuleGroup> groups) {

  private static final YAMLMapper YAML = new YAMLMapper();

  public RuleFiles {
    groups = List.copyOf(groups);
  }

  /**
   * Reads all files of a folder, sorted by name.
   *
   * @throws UncheckedIOException if a file is not valid YAML
   */
  public static RuleFiles read(Path folder) {
    List<RuleGroup> groups = new ArrayList<>();
    paths(folder).forEach(file -> groups.addAll(groups(file)));
    return new RuleFiles(groups);
  }

  /** The files of a folder, by name. */
  public static List<Path> paths(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yml")).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** These and others. */
  public RuleFiles and(RuleFiles others) {
    return new RuleFiles(Stream.concat(groups.stream(), others.groups.stream()).toList());
  }

  /** Every rule, in order. */
  public List<Rule> rules() {
    return groups.stream().flatMap(group -> group.rules().stream()).toList();
  }

  public List<Rule> alerts() {
    return rules().stream().filter(Rule::alert).toList();
  }

  public List<Rule> recordings() {
    return rules().stream().filter(rule -> !rule.alert()).toList();
  }

  private static List<RuleGroup> groups(Path path) {
    String file = path.getFileName().toString();
    List<RuleGroup> groups = new ArrayList<>();
    for (JsonNode group : tree(path).path("groups")) {
      String name = group.path("name").asText();
      List<Rule> rules = new ArrayList<>();
      group.path("rules").forEach(rule -> rules.add(rule(file, name, rule)));
      groups.add(new RuleGroup(file, name, rules));
    }
    return groups;
  }

  private static JsonNode tree(Path path) {
    try {
      return YAML.readTree(path.toFile());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(path + ": " + unreadable.getMessage(), unreadable);
    }
  }

  private static Rule rule(String file, String group, JsonNode rule) {
    boolean alert = rule.has("alert");
    return new Rule(
        file,
        group,
        rule.path(alert ? "alert" : "record").asText(),
        alert,
        rule.path("expr").asText(),
        rule.has("for") ? Promql.duration(rule.path("for").asText()) : Duration.ZERO,
        texts(rule.path("labels")),
        texts(rule.path("annotations")));
  }

  private static Map<String, String> texts(JsonNode map) {
    Map<String, String> texts = new LinkedHashMap<>();
    map.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }
}
