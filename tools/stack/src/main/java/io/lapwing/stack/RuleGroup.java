package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule group in Prometheus.
 *
 * @param seconds of its last evaluation; 0 before the first
 */
public record RuleGroup(String name, String file, double seconds, List<Rule> rules) {

  /**
   * One rule.
   *
   * @param alerting rather than recording
   * @param health {@code ok}, {@code err}, or {@code unknown} before its first evaluation
   * @param holds its {@code for}, in seconds
   * @param error last error, else empty
   * @param seconds of its last evaluation
   */
  public record Rule(
      String name,
      boolean alerting,
      String query,
      double holds,
      String health,
      String error,
      double seconds) {}

  public RuleGroup {
    rules = List.copyOf(rules);
  }

  static List<RuleGroup> read(JsonNode data) {
    List<RuleGroup> groups = new ArrayList<>();
    for (JsonNode group : data.path("groups")) {
      List<Rule> rules = new ArrayList<>();
      for (JsonNode rule : group.path("rules")) {
        rules.add(
            new Rule(
                rule.path("name").asText(),
                rule.path("type").asText().equals("alerting"),
                rule.path("query").asText(),
                rule.path("duration").asDouble(),
                rule.path("health").asText(),
                rule.path("lastError").asText(),
                rule.path("evaluationTime").asDouble()));
      }
      groups.add(
          new RuleGroup(
              group.path("name").asText(),
              group.path("file").asText(),
              group.path("evaluationTime").asDouble(),
              rules));
    }
    return groups;
  }
}
