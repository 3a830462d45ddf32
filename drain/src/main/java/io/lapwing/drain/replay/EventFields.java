package io.lapwing.drain.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.health.Remedy;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** The members of one line of an event log. */
record EventFields(JsonNode event, Path file, long line) {

  String text(String name) throws UnreadableRecord {
    JsonNode value = event.path(name);
    if (!value.isTextual()) {
      throw wrong(name, value.isMissingNode() ? "missing" : "not a text");
    }
    return value.textValue();
  }

  String textOr(String name, String otherwise) {
    return event.path(name).asText(otherwise);
  }

  Instant time(String name) throws UnreadableRecord {
    try {
      return Instant.parse(text(name));
    } catch (DateTimeException e) {
      throw wrong(name, "not a time");
    }
  }

  boolean flag(String name) throws UnreadableRecord {
    if (!event.path(name).isBoolean()) {
      throw wrong(name, "missing, or neither true nor false");
    }
    return event.path(name).booleanValue();
  }

  Remedy remedy() throws UnreadableRecord {
    return Remedy.parse(text("action")).orElseThrow(() -> wrong("action", "not an action"));
  }

  /** Without the members about the line's place in the file. */
  JsonNode unmarked() {
    ObjectNode copy = event.deepCopy();
    return copy.without(List.of("more", "carried", "complete"));
  }

  UnreadableRecord wrong(String name, String why) {
    return new UnreadableRecord(file, line, name + ": " + why);
  }
}
