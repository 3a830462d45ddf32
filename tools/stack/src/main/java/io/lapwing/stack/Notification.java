package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A webhook message of Alertmanager, version 4.
 *
 * @param path of the request
 * @param receiver chosen by the route
 * @param groupLabels labels that group the alerts
 * @param arrived time of arrival by this machine's clock
 */
public record Notification(
    String path,
    String receiver,
    Map<String, String> groupLabels,
    List<Alert> alerts,
    Instant arrived) {

  private static final ObjectMapper JSON = new ObjectMapper();

  public Notification {
    groupLabels = Map.copyOf(groupLabels);
    alerts = List.copyOf(alerts);
  }

  static Notification read(String path, InputStream body, Instant arrived) throws IOException {
    JsonNode json = JSON.readTree(body);
    List<Alert> alerts = new ArrayList<>();
    for (JsonNode alert : json.path("alerts")) {
      alerts.add(Alert.read(alert, alert.path("status").asText(), alert.path("startsAt").asText()));
    }
    return new Notification(
        path,
        json.path("receiver").asText(),
        Series.strings(json.path("groupLabels")),
        alerts,
        arrived);
  }
}
