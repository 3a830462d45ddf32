package io.lapwing.dashboards;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values for Grafana's variables in tests without Grafana.
 *
 * @param values by name, with the dollar
 */
record Chosen(Map<String, String> values) {

  /** All of everything, with windows as long as a site would have them. */
  static final Chosen ALL =
      new Chosen(Map.of())
          .with("$__rate_interval", "1m")
          .with("$__range", "30m")
          .with("$__range_s", "1800")
          .with("$__interval", "1m")
          .with("$__interval_ms", "60000")
          .with("$cluster", ".*")
          .with("$instance_type", ".*")
          .with("$node", ".+")
          .with("$gpu", ".*")
          .with("$job", ".+")
          .with("$group", ".+")
          .with("$engine", "vllm")
          .with("$verdict", "failing|unknown|degraded")
          .with("$top", "10")
          .with("$lines", "(.+)")
          .with("$other", "-")
          .with("$before", "1d");

  Chosen with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new Chosen(more);
  }

  /** A query without variables. */
  String fill(String expr) {
    String filled = expr;
    for (Map.Entry<String, String> one : values.entrySet()) {
      filled =
          filled.replaceAll(
              Pattern.quote(one.getKey()) + "\\b", Matcher.quoteReplacement(one.getValue()));
    }
    return filled;
  }
}
