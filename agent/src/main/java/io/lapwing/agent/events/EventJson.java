package io.lapwing.agent.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * An event as a flat JSON object: {@code kind}, {@code at}, then the components of the record under
 * their own names, without those that are empty.
 *
 * <pre>{@code
 * {"kind":"gpu_reset","at":"2026-11-20T11:20:00.123456Z","gpu":"GPU-...","sign":"..."}
 * }</pre>
 *
 * It is written by hand on Jackson's streaming half: the other half takes longer to load than the
 * whole log takes to read.
 */
public final class EventJson {

  /**
   * Lines are ASCII: no control sequence of a process's name reaches a terminal, and no reader has
   * to guess an encoding. Names of members are not interned, since damaged lines have any.
   */
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private EventJson() {}

  /** Writes one object. Texts are shortened to a bound. */
  public static void write(Event event, JsonGenerator json) throws IOException {
    json.writeStartObject();
    new EventWriter(json).members(event);
    json.writeEndObject();
  }

  /** One line for each event, each with its end. */
  static byte[] lines(List<Event> events) {
    return lines(events, false);
  }

  /** Lines of events that were in an older file: each says so in its last member. */
  static byte[] carriedLines(List<Event> events) {
    return lines(events, true);
  }

  private static byte[] lines(List<Event> events, boolean carried) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 * events.size());
    try (JsonGenerator json = JSON.createGenerator(bytes).setRootValueSeparator(null)) {
      for (Event event : events) {
        json.writeStartObject();
        new EventWriter(json).members(event);
        if (carried) {
          json.writeBooleanField("carried", true);
        }
        json.writeEndObject();
        json.writeRaw('\n');
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory refused a line", e);
    }
    return bytes.toByteArray();
  }

  /** What a line says; it may end in anything but a second value. */
  static LineContent read(byte[] bytes, int from, int length) {
    try (JsonParser parser = JSON.createParser(bytes, from, length)) {
      LineMembers members = LineMembers.of(parser);
      return EventReader.read(members);
    } catch (MalformedLine e) {
      return new LineContent.Malformed(said(e));
    } catch (JsonProcessingException e) {
      return new LineContent.Malformed("no JSON: " + said(e));
    } catch (IOException e) {
      // Bytes that are no UTF-8.
      return new LineContent.Malformed("no text: " + said(e));
    }
  }

  /** Without the excerpt and the position that Jackson adds. */
  private static String said(Exception e) {
    String message =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
