package io.lapwing.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON: null, text, number, boolean, enum (its text), instant (ISO form), duration
 * (seconds), optional (null if empty), map, list, stream, record (in declaration order) or {@link
 * Members}.
 *
 * <p>Uses Jackson's streaming API: databind would load 430 classes (4 MiB). Output is ASCII, except
 * for {@link #unicodePage}: no control sequence in a process name reaches a terminal.
 */
public final class JsonWriter implements AutoCloseable {

  private static final double NANOS = 1e9;
  private static final JsonFactory UNICODE = new JsonFactory();
  private static final JsonFactory ASCII =
      new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final JsonGenerator json;

  private JsonWriter(JsonGenerator json) {
    this.json = json;
  }

  /** An object: writes its members. */
  public interface Members {
    void write(JsonWriter json);
  }

  /** A pretty-printed document with a trailing line feed. */
  public static byte[] page(Members value) {
    return bytes(value, true);
  }

  public static byte[] line(Members value) {
    return bytes(value, false);
  }

  private static byte[] bytes(Members value, boolean pretty) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = ASCII.createGenerator(bytes)) {
      write(value, json, pretty);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** A pretty-printed document in UTF-8, with a trailing line feed. */
  public static byte[] unicodePage(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = UNICODE.createGenerator(text)) {
      write(value, json, true);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Object value, JsonGenerator json, boolean pretty) throws IOException {
    new JsonWriter(pretty ? json.useDefaultPrettyPrinter() : json).any(value);
  }

  /** Writes JSON lines to a stream, which stays open. */
  public static JsonWriter lines(OutputStream out) {
    try {
      return new JsonWriter(
          ASCII
              .createGenerator(out)
              .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
              .setRootValueSeparator(null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes an object and a line feed, and flushes. */
  public void object(Members members) {
    try {
      any(members);
      json.writeRaw('\n');
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a member; {@link IllegalArgumentException} for an unsupported type. */
  public JsonWriter member(String name, @Nullable Object value) {
    try {
      json.writeFieldName(name);
      any(value);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void any(@Nullable Object value) throws IOException {
    if (value instanceof Members members) {
      json.writeStartObject();
      members.write(this);
      json.writeEndObject();
    } else if (value instanceof Record record) {
      record(record);
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        member(String.valueOf(entry.getKey()), entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      list(list.iterator());
    } else if (value instanceof Stream<?> stream) {
      list(stream.iterator());
    } else {
      scalar(value);
    }
  }

  private void record(Record record) throws IOException {
    json.writeStartObject();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      member(component.getName(), read(component, record));
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

  private void list(Iterator<?> elements) throws IOException {
    json.writeStartArray();
    while (elements.hasNext()) {
      any(elements.next());
    }
    json.writeEndArray();
  }

  private void scalar(@Nullable Object value) throws IOException {
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
    } else if (value instanceof Optional<?> maybe) {
      any(maybe.isPresent() ? maybe.get() : null);
    } else if (value instanceof OptionalInt maybe) {
      any(maybe.isPresent() ? maybe.getAsInt() : null);
    } else if (value instanceof OptionalLong maybe) {
      any(maybe.isPresent() ? maybe.getAsLong() : null);
    } else {
      throw new IllegalArgumentException("unsupported type " + value.getClass());
    }
  }

  @Override
  public void close() {
    try {
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
