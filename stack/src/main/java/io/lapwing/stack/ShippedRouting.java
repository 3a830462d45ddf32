package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The Alertmanager configuration of this repository with every receiver replaced by a webhook, so
 * that its routes and its inhibition are tried, and nobody is paged.
 */
public final class ShippedRouting {

  private static final YAMLMapper YAML = new YAMLMapper();

  private ShippedRouting() {}

  /**
   * Writes it.
   *
   * @param from the shipped file
   * @param to where to write what Alertmanager is to read
   * @param webhook to whose path {@code /RECEIVER} each receiver's alerts go
   * @param groupWait instead of each that is shipped, if there is one
   * @return {@code to}
   * @throws UncheckedIOException where one cannot be read or written
   */
  public static Path write(Path from, Path to, URI webhook, Optional<Duration> groupWait) {
    try {
      JsonNode config = YAML.readTree(from.toFile());
      for (JsonNode receiver : config.path("receivers")) {
        silence((ObjectNode) receiver, webhook);
      }
      groupWait.ifPresent(wait -> waitOnly(config.path("route"), wait));
      ((ObjectNode) config).remove("templates");
      ((ObjectNode) config).remove("global");
      return Files.writeString(to, YAML.writeValueAsString(config));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Real receivers want secrets, which nobody has here. */
  private static void silence(ObjectNode receiver, URI webhook) {
    String name = receiver.path("name").asText();
    receiver.removeAll();
    receiver.put("name", name);
    ArrayNode webhooks = receiver.putArray("webhook_configs");
    webhooks.addObject().put("url", webhook + "/" + name).put("send_resolved", true);
  }

  /** Also a group's next news wait only so long: they would take minutes. */
  private static void waitOnly(JsonNode route, Duration wait) {
    ((ObjectNode) route).put("group_wait", wait.toMillis() + "ms");
    ((ObjectNode) route).put("group_interval", wait.toMillis() + "ms");
    route.path("routes").forEach(child -> waitOnly(child, wait));
  }
}
