package io.lapwing.stack.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How often the alerts of some rule files would have fired, by the samples of a Prometheus. */
final class AlertHistory {

  private static final YAMLMapper YAML = new YAMLMapper();

  /** A recorded name has colons; a label or a metric has none. */
  private static final Pattern RECORDED = Pattern.compile("[a-zA-Z_][\\w]*(?::[\\w]+)+");

  /** Each preset and keep-list has it. */
  private static final String OF_EVERY_NODE = "lapwing_node_verdict";

  /** Prometheus answers with at most 11,000 points of a series. */
  private static final Duration LONGEST_QUERY = Duration.ofHours(6);

  /**
   * An alert of a rule file.
   *
   * @param expr its query
   * @param hold its {@code for}
   * @param severity the fixed one; empty if the query has it
   */
  record Alert(String name, String expr, Duration hold, String severity) {

    /** The recorded series that the query reads. */
    Set<String> recordings() {
      Set<String> names = new TreeSet<>();
      RECORDED.matcher(expr).results().forEach(match -> names.add(match.group()));
      return names;
    }
  }

  private final PrometheusApi prometheus;
  private final Instant end;
  private final Duration range;
  private final Duration step;

  AlertHistory(PrometheusApi prometheus, Instant end, Duration range, Duration step) {
    this.prometheus = prometheus;
    this.end = end;
    this.range = range;
    this.step = step;
  }

  /** The alerts of rule files, in order. */
  static List<Alert> alerts(List<Path> files) throws IOException {
    List<Alert> alerts = new ArrayList<>();
    for (Path file : files) {
      for (JsonNode group : YAML.readTree(file.toFile()).path("groups")) {
        for (JsonNode rule : group.path("rules")) {
          if (rule.has("alert")) {
            String severity = rule.path("labels").path("severity").asText();
            alerts.add(
                new Alert(
                    rule.path("alert").asText(),
                    rule.path("expr").asText(),
                    Durations.read(rule.path("for").asText("0s")),
                    severity.contains("{{") ? "" : severity));
          }
        }
      }
    }
    return alerts;
  }

  /** The firings of an alert, or which recordings it lacks. */
  Outcome of(Alert alert) {
    Set<String> lacking = alert.recordings();
    lacking.removeIf(name -> prometheus.records(name));
    if (!lacking.isEmpty()) {
      return Outcome.lacking(alert.name(), lacking);
    }
    Episodes episodes = new Episodes(alert.hold(), step);
    ask(alert.expr(), episodes::add);
    return new Outcome(alert.name(), alert.severity(), episodes.all(), Set.of());
  }

  /** The server's samples of the agents, and of the recordings that these alerts read. */
  Coverage coverage(List<Alert> alerts) {
    Set<String> recordings =
        alerts.stream().flatMap(one -> one.recordings().stream()).collect(Collectors.toSet());
    return Coverage.of(
        times("count(" + OF_EVERY_NODE + ")"),
        recordings.isEmpty()
            ? List.of()
            : times("count({__name__=~\"" + String.join("|", recordings) + "\"})"),
        step);
  }

  private List<Instant> times(String query) {
    List<Instant> times = new ArrayList<>();
    ask(query, series -> series.values().forEach(times::addAll));
    return times;
  }

  private void ask(String query, Consumer<Map<Map<String, String>, List<Instant>>> answers) {
    for (Instant from = end.minus(range); from.isBefore(end); from = from.plus(LONGEST_QUERY)) {
      Instant to = from.plus(LONGEST_QUERY).minus(step);
      answers.accept(prometheus.range(query, from, to.isAfter(end) ? end : to, step));
    }
  }
}
