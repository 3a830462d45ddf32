package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;

/**
 * An alert, as Prometheus, Alertmanager or a webhook tells of it.
 *
 * @param state {@code pending} or {@code firing} of Prometheus; {@code active}, {@code suppressed}
 *     or {@code unprocessed} of Alertmanager; {@code firing} or {@code resolved} at a webhook
 * @param since when it began; the epoch where nobody says so
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

  /** Empty where it has no such label. */
  public String label(String name) {
    return labels.getOrDefault(name, "");
  }

  /** Empty where it has no such annotation. */
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
