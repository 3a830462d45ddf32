package io.lapwing.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the event history of an agent before a scenario starts. */
final class HistoryReader {

  /** Time members of event log lines. */
  private static final Set<String> MOMENTS = Set.of("at", "since");

  private HistoryReader() {}

  static List<PastEvent> read(YamlValue yaml) throws ScenarioException {
    List<PastEvent> events = new ArrayList<>();
    for (YamlValue event : yaml.list()) {
      events.add(event(event));
    }
    return events;
  }

  private static PastEvent event(YamlValue yaml) throws ScenarioException {
    yaml.require(yaml.yaml().isObject(), "is not a line of an event log");
    yaml.require(yaml.has("kind") && yaml.has("at"), "has no kind or no time");
    Map<String, Object> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : yaml.yaml().properties()) {
      members.put(member.getKey(), value(member.getKey(), yaml.at(member.getKey())));
    }
    return new PastEvent(members);
  }

  private static Object value(String name, YamlValue yaml) throws ScenarioException {
    JsonNode value = yaml.yaml();
    if (MOMENTS.contains(name)) {
      return before(yaml);
    }
    if (value.isBoolean()) {
      return value.asBoolean();
    }
    yaml.require(value.isTextual() || value.isIntegralNumber(), "is no text and no whole number");
    return value.isIntegralNumber() ? (Object) value.asLong() : text(yaml, value.asText());
  }

  private static String text(YamlValue yaml, String text) throws ScenarioException {
    Optional<String> unknown = Placeholders.unknown(text);
    yaml.require(
        unknown.isEmpty(), "'" + unknown.orElse("") + "' is none of " + Placeholders.KNOWN);
    return text;
  }

  /** {@code -3h}: three hours before the scenario starts. */
  private static Duration before(YamlValue yaml) throws ScenarioException {
    String text = yaml.yaml().asText();
    yaml.require(text.startsWith("-"), "'" + text + "' is not a time before the beginning, as -3h");
    return yaml.duration(text.substring(1)).negated();
  }
}
