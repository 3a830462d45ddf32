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
    MEANINGS.put("{group", "{cluster=~\"$cluster\", group=~\"$group\"");
    MEANINGS.put("{jobs", "{cluster=~\"$cluster\", job_id=~\"$job|$other\"");
    MEANINGS.put("{job", "{cluster=~\"$cluster\", job_id=~\"$job\"");
  }

  private Selectors() {}

  /** Series of any name, on nodes of the selected cluster and instance type. */
  static String ofType(String vector) {
    return "(" + vector + " and on (cluster, instance) lapwing_node_info{type})";
  }

  /** As {@link #ofType}, and of the selected nodes. */
  static String ofNodes(String vector) {
    return "(" + vector + " and on (cluster, instance) lapwing_node_info{nodes})";
  }

  /** Series with the labels of a node, on the nodes of the job and while it held GPUs there. */
  static String ofJob(String vector) {
    return "("
        + vector
        + " and on (cluster, instance) instance_job_id:lapwing_gpus:allocated{job})";
  }

  /**
   * The nodes with the highest values within the time range. The same ones at each point of a
   * graph, where topk alone would show every node that was ever among them.
   *
   * @param recorded a selector of series that are recorded by node
   */
  static String top(String recorded) {
    return """
        max by (cluster, instance) (%s) and on (cluster, instance)
          topk($top, max by (cluster, instance) (max_over_time(%s[$__range] @ end())))
        """
        .formatted(recorded, recorded);
  }

  static String fill(String expr) {
    String filled = expr.strip().replaceAll("\\s+", " ");
    for (Map.Entry<String, String> meaning : MEANINGS.entrySet()) {
      String word = meaning.getKey().replace("{", "\\{");
      filled = filled.replaceAll(word + "(?=[,}])", Matcher.quoteReplacement(meaning.getValue()));
    }
    return filled;
  }
}
