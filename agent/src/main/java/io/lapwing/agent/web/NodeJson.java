package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON: components in declaration order, instants in ISO form, durations in
 * seconds, empty optionals as null, enums as their text.
 *
 * <p>Uses Jackson's streaming API: databind would load 430 classes (4 MiB) for this one response.
 */
final class NodeJson {
  private static final double NANOS = 1e9;
  private static final JsonFactory FACTORY = new JsonFactory();

  private NodeJson() {}

  /**
   * Pretty-printed UTF-8 with a trailing line feed.
   *
   * @throws IllegalArgumentException for an unsupported type
   */
  static byte[] write(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      any(value, json);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void any(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value instanceof Optional<?> maybe) {
      any(maybe.isPresent() ? maybe.get() : null, json);
    } else if (value instanceof Record record) {
      record(record, json);
    } else if (value instanceof Map<?, ?> map) {
      map(map, json);
    } else if (value instanceof Iterable<?> list) {
      list(list, json);
    } else {
      scalar(value, json);
    }
  }

  private static void scalar(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Integer || value instanceof Long) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Duration time) {
      json.writeNumber(time.getSeconds() + time.getNano() / NANOS);
    } else if (value instanceof String || value instanceof Enum || value instanceof Instant) {
      json.writeString(value.toString());
    } else {
      throw new IllegalArgumentException("unsupported type " + value.getClass());
    }
  }

  private static void record(Record record, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      json.writeFieldName(component.getName());
      any(read(component, record), json);
    }
    json.writeEndObject();
  }

  private static @Nullable Object read(RecordComponent component, Record record) {
    try {
      // The accessor is public, but its record may not be.
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("the accessor of " + component + " failed", e);
    }
  }

  private static void map(Map<?, ?> map, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      json.writeFieldName(String.valueOf(entry.getKey()));
      any(entry.getValue(), json);
    }
    json.writeEndObject();
  }

  private static void list(Iterable<?> list, JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (Object element : list) {
      any(element, json);
    }
    json.writeEndArray();
  }
}
