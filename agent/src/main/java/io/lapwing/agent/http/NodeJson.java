package io.lapwing.agent.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON with instants in ISO form, durations in seconds, empty optionals as null. */
final class NodeJson {
  private static final double NANOS = 1e9;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .registerModule(types());

  private NodeJson() {}

  static byte[] write(Object value) throws JsonProcessingException {
    return (MAPPER.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static SimpleModule types() {
    return new SimpleModule()
        .addSerializer(
            Instant.class, written((instant, json) -> json.writeString(instant.toString())))
        .addSerializer(Duration.class, written((time, json) -> json.writeNumber(seconds(time))))
        .addSerializer(Optional.class, written((maybe, json) -> json.writePOJO(content(maybe))));
  }

  private static @Nullable Object content(Optional<?> maybe) {
    return maybe.isPresent() ? maybe.get() : null;
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS;
  }

  private interface Writing<T> {
    void write(T value, JsonGenerator json) throws IOException;
  }

  private static <T> JsonSerializer<T> written(Writing<T> writing) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writing.write(value, json);
      }
    };
  }
}
