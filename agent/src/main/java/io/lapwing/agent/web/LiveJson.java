package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A {@link Live} as members of an object. What has no value has no member. */
final class LiveJson {

  private static final double MILLIS = 1e3;

  private LiveJson() {}

  static void members(Live live, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("troubles");
    for (Live.Trouble trouble : live.troubles()) {
      trouble(trouble, json);
    }
    json.writeEndArray();
    for (Map.Entry<String, List<LiveRow>> table : live.tables().entrySet()) {
      json.writeArrayFieldStart(table.getKey());
      for (LiveRow row : table.getValue()) {
        row(row, json);
      }
      json.writeEndArray();
    }
  }

  private static void trouble(Live.Trouble trouble, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("source", trouble.source());
    json.writeStringField("collector", trouble.collector());
    json.writeStringField("state", trouble.state());
    json.writeStringField("why", trouble.why());
    json.writeNumberField("hung_seconds", trouble.hungFor().toMillis() / MILLIS);
    json.writeEndObject();
  }

  private static void row(LiveRow row, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, String> text : row.texts().entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    if (row.counted().isPresent()) {
      number("counted_at", row.counted().get().toEpochMilli() / MILLIS, json);
    }
    for (Map.Entry<String, Double> number : row.numbers().entrySet()) {
      number(number.getKey(), number.getValue(), json);
    }
    for (Map.Entry<String, Map<String, Double>> group : row.groups().entrySet()) {
      json.writeObjectFieldStart(group.getKey());
      for (Map.Entry<String, Double> number : group.getValue().entrySet()) {
        number(number.getKey(), number.getValue(), json);
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /** Counts of bytes as whole numbers: in the form of a double they take half as much again. */
  private static void number(String name, double value, JsonGenerator json) throws IOException {
    if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
      json.writeNumberField(name, (long) value);
    } else {
      json.writeNumberField(name, value);
    }
  }
}
