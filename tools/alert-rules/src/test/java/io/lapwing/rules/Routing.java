package io.lapwing.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Expr.Matcher;
import io.lapwing.rules.promql.Promql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The configurations of alert managers that are shipped. */
final class Routing {

  static final Path FOLDER = Shipped.RULES.resolve("alertmanager");
  static final Path FILE = FOLDER.resolve("alertmanager.yml");

  /** For fleets with automation. */
  static final Path AUTOMATED = FOLDER.resolve("alertmanager-automated.yml");

  static final Path AMP = Shipped.RULES.resolve("amp").resolve("alert-manager-definition.yml");
  static final Path AMP_AUTOMATED =
      Shipped.RULES.resolve("amp").resolve("alert-manager-definition-automated.yml");

  private static final YAMLMapper YAML = new YAMLMapper();

  private Routing() {}

  static JsonNode alertmanager() throws IOException {
    return YAML.readTree(FILE.toFile());
  }

  static JsonNode automated() throws IOException {
    return YAML.readTree(AUTOMATED.toFile());
  }

  static JsonNode amp() throws IOException {
    return YAML.readTree(AMP.toFile());
  }

  /** The configuration within AMP's definition. */
  static JsonNode ampConfiguration() throws IOException {
    return ampConfiguration(AMP);
  }

  static JsonNode ampConfiguration(Path definition) throws IOException {
    return YAML.readTree(YAML.readTree(definition.toFile()).path("alertmanager_config").asText());
  }

  /** Writes AMP's template and its configuration as Alertmanager reads them; returns the latter. */
  static Path unpack(Path folder) throws IOException {
    return unpack(AMP, folder);
  }

  static Path unpack(Path from, Path folder) throws IOException {
    JsonNode definition = YAML.readTree(from.toFile());
    for (Map.Entry<String, JsonNode> file : definition.path("template_files").properties()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue().asText());
    }
    Path file = folder.resolve("alertmanager.yml");
    // Only AMP takes a reference to a secret where Alertmanager has the secret itself.
    Files.writeString(
        file,
        Pattern.compile("routing_key:\\s+aws_secrets_manager:\n(?:\\s+\\w+: .*\n){3}")
            .matcher(definition.path("alertmanager_config").asText())
            .replaceAll("routing_key: a-key\n"));
    return file;
  }

  /** One rule of inhibition. */
  record Inhibition(List<Matcher> source, List<Matcher> target, List<String> equal) {

    /** An alert that is also a target inhibits no other target, because it would inhibit itself. */
    boolean appliesTo(Map<String, String> one) {
      return matches(source, one) && !matches(target, one);
    }

    boolean silences(Map<String, String> one, Map<String, String> other) {
      return appliesTo(one)
          && matches(target, other)
          && equal.stream().allMatch(label -> value(one, label).equals(value(other, label)));
    }
  }

  static List<Inhibition> inhibitions(JsonNode configuration) {
    List<Inhibition> rules = new ArrayList<>();
    for (JsonNode rule : configuration.path("inhibit_rules")) {
      List<String> equal = new ArrayList<>();
      rule.path("equal").forEach(label -> equal.add(label.asText()));
      rules.add(
          new Inhibition(
              matchers(rule.path("source_matchers")),
              matchers(rule.path("target_matchers")),
              List.copyOf(equal)));
    }
    return rules;
  }

  private static List<Matcher> matchers(JsonNode texts) {
    List<Matcher> matchers = new ArrayList<>();
    for (JsonNode text : texts) {
      // They are written as within the braces of a selector.
      Expr selector = Promql.parse("{" + text.asText() + "}");
      selector.selectors().forEach(one -> matchers.addAll(one.matchers()));
    }
    return matchers;
  }

  private static boolean matches(List<Matcher> matchers, Map<String, String> labels) {
    return matchers.stream()
        .allMatch(
            matcher -> {
              String value = value(labels, matcher.label());
              boolean same =
                  matcher.isRegex()
                      ? Pattern.matches(matcher.value(), value)
                      : matcher.value().equals(value);
              return same != matcher.operator().startsWith("!");
            });
  }

  private static String value(Map<String, String> labels, String label) {
    return labels.getOrDefault(label, "");
  }
}
