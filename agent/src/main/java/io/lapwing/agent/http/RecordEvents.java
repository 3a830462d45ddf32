package io.lapwing.agent.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.agent.events.Event;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Events as JSON objects, member by member as their records have them. */
enum RecordEvents implements EventWriter {
  INSTANCE;

  @Override
  public void write(Event event, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", EventKinds.of(event));
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      json.writeFieldName(EventKinds.snake(component.getName()));
      write(value(event, component), json);
    }
    json.writeEndObject();
  }

  private static Object value(Event event, RecordComponent component) {
    try {
      return component.getAccessor().invoke(event);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a public record has public accessors", e);
    }
  }

  private static void write(Object value, JsonGenerator json) throws IOException {
    if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Integer number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof OptionalInt maybe) {
      writeMaybe(maybe.isPresent(), maybe.orElse(0), json);
    } else if (value instanceof OptionalLong maybe) {
      writeMaybe(maybe.isPresent(), maybe.orElse(0), json);
    } else if (value instanceof Collection<?> many) {
      writeAll(many, json);
    } else {
      json.writeString(value.toString());
    }
  }

  private static void writeMaybe(boolean there, long number, JsonGenerator json)
      throws IOException {
    if (there) {
      json.writeNumber(number);
    } else {
      json.writeNull();
    }
  }

  private static void writeAll(Collection<?> many, JsonGenerator json) throws IOException {
    TreeSet<String> words = new TreeSet<>();
    many.forEach(one -> words.add(one.toString().toLowerCase(Locale.ROOT)));
    json.writeStartArray();
    for (String word : words) {
      json.writeString(word);
    }
    json.writeEndArray();
  }
}
