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
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The shipped Alertmanager configuration with a webhook in place of each receiver, to test its
 * routes and inhibition without paging anyone.
 */
public final class ShippedRouting {

  private static final YAMLMapper YAML = new YAMLMapper();

  private ShippedRouting() {}

  /** A program to which a receiver sends its alerts, too. */
  record Webhook(String receiver, URI url, String user, Path passwordFile) {}

  /**
   * Writes the configuration.
   *
   * @param from the shipped file
   * @param to the file to write
   * @param webhook base URL; alerts go to {@code /RECEIVER} below it
   * @param patience if given, the maximum group_wait and group_interval of all routes
   * @return {@code to}
   * @throws UncheckedIOException if a file cannot be read or written
   */
  public static Path write(Path from, Path to, URI webhook, Optional<Duration> patience) {
    return write(from, to, webhook, patience, Optional.empty());
  }

  /** The same with a program to which its receiver sends alerts. */
  static Path write(
      Path from, Path to, URI webhook, Optional<Duration> patience, Optional<Webhook> program) {
    try {
      JsonNode config = YAML.readTree(from.toFile());
      for (JsonNode receiver : config.path("receivers")) {
        silence((ObjectNode) receiver, webhook);
        program
            .filter(one -> one.receiver().equals(receiver.path("name").asText()))
            .ifPresent(one -> tell((ObjectNode) receiver, one));
      }
      patience.ifPresent(most -> shorten((ObjectNode) config.path("route"), most));
      ((ObjectNode) config).remove("templates");
      ((ObjectNode) config).remove("global");
      return Files.writeString(to, YAML.writeValueAsString(config));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Real receivers need secrets. A receiver without targets stays empty. */
  private static void silence(ObjectNode receiver, URI webhook) {
    String name = receiver.path("name").asText();
    boolean tells = receiver.size() > 1;
    receiver.removeAll();
    receiver.put("name", name);
    if (tells) {
      ArrayNode webhooks = receiver.putArray("webhook_configs");
      webhooks.addObject().put("url", webhook + "/" + name).put("send_resolved", true);
    }
  }

  private static void tell(ObjectNode receiver, Webhook program) {
    ObjectNode webhook =
        receiver.withArray("webhook_configs").addObject().put("url", program.url().toString());
    webhook.put("max_alerts", 0);
    webhook
        .putObject("http_config")
        .putObject("basic_auth")
        .put("username", program.user())
        .put("password_file", program.passwordFile().toString());
  }

  private static void shorten(ObjectNode route, Duration most) {
    for (String wait : List.of("group_wait", "group_interval")) {
      if (route.has(wait) && duration(route.path(wait).asText()).compareTo(most) > 0) {
        route.put(wait, most.toMillis() + "ms");
      }
    }
    route.path("routes").forEach(child -> shorten((ObjectNode) child, most));
  }

  /** A duration of one number and one unit. */
  private static Duration duration(String text) {
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }
}
