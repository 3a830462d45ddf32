package io.lapwing.drain.intake;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.intake.Json.Unusable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An alert of a message of Alertmanager, or of Amazon Managed Prometheus with Lapwing's template.
 *
 * @param fingerprint of its labels
 * @param startsAt when it began to fire, to the second, since the template has no more
 */
public record Alert(
    String fingerprint,
    Instant startsAt,
    boolean resolved,
    Map<String, String> labels,
    Map<String, String> annotations) {

  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");

  public Alert {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** The same for all messages about one firing. */
  public String key() {
    return fingerprint + "/" + startsAt;
  }

  public Optional<String> label(String name) {
    return Optional.ofNullable(labels.get(name)).filter(text -> !text.isEmpty());
  }

  public Optional<String> annotation(String name) {
    return Optional.ofNullable(annotations.get(name)).filter(text -> !text.isEmpty());
  }

  /**
   * Reads an element of {@code alerts}.
   *
   * @param at its place: {@code alerts[3]}
   */
  static Alert of(JsonNode node, String at) throws Unusable {
    if (!node.isObject()) {
      throw malformed(at, "not an object");
    }
    String fingerprint = text(node, at, "fingerprint");
    if (!FINGERPRINT.matcher(fingerprint).matches()) {
      throw malformed(at + ".fingerprint", "not 16 digits of hexadecimal");
    }
    return new Alert(
        fingerprint,
        time(node, at),
        resolved(node, at),
        texts(node, at, "labels"),
        node.has("annotations") ? texts(node, at, "annotations") : Map.of());
  }

  private static boolean resolved(JsonNode node, String at) throws Unusable {
    return switch (text(node, at, "status")) {
      case "firing" -> false;
      case "resolved" -> true;
      default -> throw malformed(at + ".status", "neither firing nor resolved");
    };
  }

  private static Instant time(JsonNode node, String at) throws Unusable {
    try {
      return OffsetDateTime.parse(text(node, at, "startsAt"))
          .toInstant()
          .truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeException e) {
      throw malformed(at + ".startsAt", "not a time");
    }
  }

  private static String text(JsonNode node, String at, String name) throws Unusable {
    JsonNode value = node.path(name);
    if (!value.isTextual() || value.textValue().isEmpty()) {
      throw malformed(at + "." + name, value.isMissingNode() ? "missing" : "not a text");
    }
    return value.textValue();
  }

  private static Map<String, String> texts(JsonNode node, String at, String name) throws Unusable {
    JsonNode value = node.path(name);
    if (!value.isObject()) {
      throw malformed(at + "." + name, value.isMissingNode() ? "missing" : "not an object");
    }
    Map<String, String> texts = new TreeMap<>();
    Iterator<Entry<String, JsonNode>> members = value.properties().iterator();
    while (members.hasNext()) {
      Entry<String, JsonNode> member = members.next();
      if (!member.getValue().isTextual()) {
        String field = at + "." + name + "." + Words.plain(member.getKey(), 60);
        throw malformed(field, "not a text");
      }
      texts.put(member.getKey(), member.getValue().textValue());
    }
    return texts;
  }

  private static Unusable malformed(String field, String reason) {
    return new Unusable(Result.MALFORMED, field + ": " + reason);
  }
}
