package io.lapwing.agent.cli;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventJson;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import io.lapwing.json.JsonCursor;
import io.lapwing.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An event as {@code lapwing events} prints it; docs/events.md describes the members. */
record EventRow(Instant at, String kind, Map<String, Object> members) {

  /** The events of {@code /api/v1/events}. */
  static List<EventRow> of(String page) throws IOException {
    try (JsonCursor json = JsonCursor.of(page)) {
      Object document = json.isEmpty() ? null : json.value();
      Object events = document instanceof Map<?, ?> members ? members.get("events") : null;
      if (!(events instanceof List<?> list)) {
        throw new IOException("the response has no events");
      }
      List<EventRow> rows = new ArrayList<>();
      for (Object event : list) {
        rows.add(row(event));
      }
      return rows;
    }
  }

  /** An event of the log. */
  static EventRow of(Event event) throws IOException {
    byte[] line = JsonWriter.line(EventJson.of(event));
    try (JsonCursor json = JsonCursor.of(new String(line, StandardCharsets.UTF_8))) {
      return row(json.value());
    }
  }

  private static EventRow row(@Nullable Object event) throws IOException {
    Map<String, Object> members = new TreeMap<>();
    if (event instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            if (name != null && value != null) {
              members.put(String.valueOf(name), value);
            }
          });
    }
    try {
      Instant at = Instant.parse(String.valueOf(members.remove("at")));
      return new EventRow(at, String.valueOf(members.remove("kind")), members);
    } catch (DateTimeParseException e) {
      throw new IOException("an event without its time", e);
    }
  }

  /** By its rule, {@code xid_79} for an XID, or its kind. */
  boolean isOf(String rule) {
    String xid = kind.equals("xid") ? "xid_" + members.get("number") : "";
    return rule.equals(members.get("rule")) || rule.equals(kind) || rule.equals(xid);
  }

  String json() {
    byte[] line =
        JsonWriter.line(
            json -> {
              json.member("kind", kind).member("at", at);
              members.forEach(json::member);
            });
    return new String(line, StandardCharsets.UTF_8).stripTrailing();
  }

  /** {@code 2026-11-20 03:12:44Z xid gpu=GPU-... number=79}. */
  String text() {
    StringBuilder text = new StringBuilder(TimeText.moment(at) + " " + kind);
    members.forEach(
        (name, value) -> text.append(' ').append(name).append('=').append(quoted(value)));
    return PlainText.of(text.toString());
  }

  private static String quoted(Object value) {
    String text = PlainText.of(String.valueOf(value));
    return text.isEmpty() || text.contains(" ") ? '"' + text.replace('"', '\'') + '"' : text;
  }
}
