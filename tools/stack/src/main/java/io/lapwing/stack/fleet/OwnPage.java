package io.lapwing.stack.fleet;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a Prometheus itself. */
record OwnPage(Map<String, Double> values) {

  private static final Pattern GROUP =
      Pattern.compile(
          "prometheus_rule_group_last_duration_seconds\\{rule_group=\"[^\"]*/([^\"/]+)\"}");

  OwnPage {
    values = Map.copyOf(values);
  }

  static OwnPage read(URI prometheus) throws IOException, InterruptedException {
    String page = RecordedNode.page(URI.create(prometheus + "/metrics"));
    return new OwnPage(RecordedPage.parse(page).values());
  }

  /** The value of a series without labels; 0 if it does not exist. */
  double value(String name) {
    return values.getOrDefault(name, 0.0);
  }

  /** The sum over all labels. */
  double sum(String name) {
    return values.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(name + "{") || entry.getKey().equals(name))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Duration of each group's last evaluation in seconds, by "file.yml;group". */
  Map<String, Double> groups() {
    Map<String, Double> groups = new TreeMap<>();
    values.forEach(
        (series, seconds) -> {
          Matcher matcher = GROUP.matcher(series);
          if (matcher.matches()) {
            groups.put(matcher.group(1), seconds);
          }
        });
    return groups;
  }
}
