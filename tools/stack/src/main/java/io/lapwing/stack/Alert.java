package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;

/**
 * An alert from Prometheus, Alertmanager or a webhook.
 *
 * @param state {@code pending} or {@code firing} of Prometheus; {@code active}, {@code suppressed}
 *     or {@code unprocessed} of Alertmanager; {@code firing} or {@code resolved} at a webhook
 * @param since its start; the epoch if unknown
 */
public record Alert(
    Map<String, String> labels, Map<String, String> annotations, String state, Instant since) {

  public Alert {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  public String name() {
    return label("alertname");
  }

  /** Empty if it has no such label. */
  public String label(String name) {
    return labels.getOrDefault(name, "");
  }

  /** Empty if it has no such annotation. */
  public String annotation(String name) {
    return annotations.getOrDefault(name, "");
  }

  static Alert read(JsonNode alert, String state, String since) {
    return new Alert(
        Series.strings(alert.path("labels")),
        Series.strings(alert.path("annotations")),
        state,
        since.isEmpty() ? Instant.EPOCH : Instant.parse(since));
  }
}
