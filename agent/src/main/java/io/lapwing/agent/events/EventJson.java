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

  private static final String CARRIED = "carried";

  private EventJson() {}

  /** Writes one object. Texts are shortened to a bound. */
  public static void write(Event event, JsonGenerator json) throws IOException {
    json.writeStartObject();
    new EventWriter(json).members(event);
    json.writeEndObject();
  }

  /** One line for each event, each with its end. */
  static byte[] lines(List<Event> events) {
    return lines(events, "");
  }

  /** Lines of which some count only with the next one: {@code more} is their last member. */
  static byte[] pendingLines(List<PendingEvent> events) {
    Lines lines = new Lines(events.size());
    events.forEach(one -> lines.add(one.event(), one.more() ? "more" : ""));
    return lines.bytes();
  }

  /**
   * Lines of a snapshot: {@code carried} is their last member.
   *
   * @param first whether it starts here, so that its first line is {@code complete} besides
   */
  static byte[] snapshotLines(List<Event> events, boolean first) {
    Lines lines = new Lines(events.size());
    for (int i = 0; i < events.size(); i++) {
      lines.add(events.get(i), first && i == 0 ? "complete" : "", CARRIED);
    }
    return lines.bytes();
  }

  private static byte[] lines(List<Event> events, String flag) {
    Lines lines = new Lines(events.size());
    events.forEach(event -> lines.add(event, flag));
    return lines.bytes();
  }

  /** Lines in memory. */
  private static final class Lines {
    private final ByteArrayOutputStream bytes;
    private final JsonGenerator json;

    Lines(int events) {
      try {
        bytes = new ByteArrayOutputStream(256 * events);
        json = JSON.createGenerator(bytes).setRootValueSeparator(null);
      } catch (IOException e) {
        throw new IllegalStateException("memory refused a line", e);
      }
    }

    void add(Event event, String... flags) {
      try {
        json.writeStartObject();
        new EventWriter(json).members(event);
        for (String flag : flags) {
          if (!flag.isEmpty()) {
            json.writeBooleanField(flag, true);
          }
        }
        json.writeEndObject();
        json.writeRaw('\n');
      } catch (IOException e) {
        throw new IllegalStateException("memory refused a line", e);
      }
    }

    byte[] bytes() {
      try {
        json.close();
        return bytes.toByteArray();
      } catch (IOException e) {
        throw new IllegalStateException("memory refused a line", e);
      }
    }
  }

  /** What a line says; it may end in anything but a second value. */
  static ParsedLine read(byte[] bytes, int from, int length) {
    try (JsonParser parser = JSON.createParser(bytes, from, length)) {
      LineMembers members = LineMembers.of(parser);
      return EventReader.read(members);
    } catch (MalformedLine e) {
      return new ParsedLine.Malformed(said(e));
    } catch (JsonProcessingException e) {
      return new ParsedLine.Malformed("no JSON: " + said(e));
    } catch (IOException e) {
      // Bytes that are no UTF-8.
      return new ParsedLine.Malformed("no text: " + said(e));
    }
  }

  /** Without the excerpt and the position that Jackson adds. */
  private static String said(Exception e) {
    String message =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
