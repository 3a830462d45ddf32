package io.lapwing.dashboards;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * Short forms of the selectors of a dashboard's variables: {@code lapwing_gpu_up{node}} means
 * {@code lapwing_gpu_up{cluster=~"$cluster", instance=~"$node"}}, and {@code {node, reason="x"}}
 * goes on behind that.
 */
final class Selectors {

  private static final Map<String, String> MEANINGS = new LinkedHashMap<>();

  static {
    MEANINGS.put("{cluster", "{cluster=~\"$cluster\"");
    MEANINGS.put("{type", "{cluster=~\"$cluster\", instance_type=~\"$instance_type\"");
    MEANINGS.put(
        "{nodes", "{cluster=~\"$cluster\", instance_type=~\"$instance_type\", instance=~\"$node\"");
    MEANINGS.put("{node", "{cluster=~\"$cluster\", instance=~\"$node\"");
    MEANINGS.put("{gpu", "{cluster=~\"$cluster\", instance=~\"$node\", gpu=~\"$gpu\"");
    MEANINGS.put("{job", "{cluster=~\"$cluster\", job_id=~\"$job\"");
  }

  private Selectors() {}

  static String fill(String expr) {
    String filled = expr.strip().replaceAll("\\s+", " ");
    for (Map.Entry<String, String> meaning : MEANINGS.entrySet()) {
      String word = meaning.getKey().replace("{", "\\{");
      filled = filled.replaceAll(word + "(?=[,}])", Matcher.quoteReplacement(meaning.getValue()));
    }
    return filled;
  }
}
