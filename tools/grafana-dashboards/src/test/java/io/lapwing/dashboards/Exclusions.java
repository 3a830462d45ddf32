package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The file {@code .lint} of dashboard-linter: rules that do not hold here, each with its reason.
 *
 * @param panels by rule; a rule without panels holds nowhere
 */
record Exclusions(Map<String, Set<String>> panels) {

  static Exclusions read() throws IOException {
    Map<String, Set<String>> panels = new LinkedHashMap<>();
    JsonNode tree = new YAMLMapper().readTree(Repository.DASHBOARDS.resolve(".lint").toFile());
    tree.path("exclusions")
        .properties()
        .forEach(rule -> panels.put(rule.getKey(), panels(rule.getKey(), rule.getValue())));
    return new Exclusions(panels);
  }

  private static Set<String> panels(String name, JsonNode rule) {
    if (rule.path("reason").asText().isBlank()) {
      throw new IllegalArgumentException(name + " is left out without a reason");
    }
    Set<String> titles = new LinkedHashSet<>();
    rule.path("entries").forEach(entry -> titles.add(entry.path("panel").asText()));
    return titles;
  }

  boolean exclude(String rule, String panel) {
    Set<String> titles = panels.get(rule);
    return titles != null && (titles.isEmpty() || titles.contains(panel));
  }
}
