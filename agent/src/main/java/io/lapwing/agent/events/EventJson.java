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
import java.util.Optional;

/**
 * An event as a flat JSON object: {@code kind}, {@code at}, then the components of the record under
 * their own names, without those that are empty. {@link EventKind} has them all.
 *
 * <pre>{@code
 * {"kind":"gpu_reset","at":"2026-11-20T11:20:00.123456Z","gpu":"GPU-...","sign":"..."}
 * }</pre>
 */
public final class EventJson {

  /**
   * Lines are ASCII: no control sequence in a process name reaches a terminal, and no reader has to
   * guess an encoding. Names of members are not interned, since damaged lines have any.
   */
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private EventJson() {}

  /** Writes one object. Texts are shortened to the bounds of the log. */
  public static void write(Event event, JsonGenerator json) throws IOException {
    write(event, json, false, false, false);
  }

  private static void write(
      Event event, JsonGenerator json, boolean complete, boolean carried, boolean more)
      throws IOException {
    json.writeStartObject();
    EventKind.of(event).write(event, new MemberWriter(json));
    mark(json, "complete", complete);
    mark(json, "carried", carried);
    mark(json, "more", more);
    json.writeEndObject();
  }

  private static void mark(JsonGenerator json, String name, boolean marked) throws IOException {
    if (marked) {
      json.writeBooleanField(name, true);
    }
  }

  /** One line for each event, each with its line feed. */
  static byte[] lines(List<Event> events) {
    return pendingLines(events.stream().map(event -> new PendingEvent(event, false)).toList());
  }

  /** As {@link #lines}, with {@code more} as the last member of those that need the next one. */
  static byte[] pendingLines(List<PendingEvent> events) {
    return lines(
        events.size(),
        (i, json) -> write(events.get(i).event(), json, false, false, events.get(i).more()));
  }

  /**
   * As {@link #lines}, with {@code carried} as the last member of each.
   *
   * @param first whether the snapshot starts here, so that its first line is {@code complete} too
   */
  static byte[] snapshotLines(List<Event> events, boolean first) {
    return lines(
        events.size(), (i, json) -> write(events.get(i), json, first && i == 0, true, false));
  }

  private interface LineWriter {
    void write(int line, JsonGenerator json) throws IOException;
  }

  private static byte[] lines(int count, LineWriter writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 * count);
    try (JsonGenerator json = JSON.createGenerator(bytes).setRootValueSeparator(null)) {
      for (int i = 0; i < count; i++) {
        writer.write(i, json);
        json.writeRaw('\n');
      }
    } catch (IOException e) {
      throw new IllegalStateException("a buffer in memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /** Parses one line, without its line feed. */
  static ParsedLine read(byte[] bytes, int from, int length) {
    try (JsonParser parser = JSON.createParser(bytes, from, length)) {
      return parsed(MemberReader.of(parser));
    } catch (MemberReader.MalformedLineException e) {
      return new ParsedLine.Malformed(reason(e));
    } catch (JsonProcessingException e) {
      return new ParsedLine.Malformed("not JSON: " + reason(e));
    } catch (IOException e) {
      return new ParsedLine.Malformed("not UTF-8: " + reason(e));
    }
  }

  private static ParsedLine parsed(MemberReader line) throws MemberReader.MalformedLineException {
    String name = line.text("kind");
    Optional<EventKind> kind = EventKind.named(name);
    if (kind.isEmpty()) {
      return new ParsedLine.UnknownKind(name, line.flagIfPresent("more"));
    }
    return new ParsedLine.Known(
        kind.get().read(line),
        line.flagIfPresent("carried"),
        line.flagIfPresent("complete"),
        line.flagIfPresent("more"));
  }

  /** Without the excerpt and the position that Jackson adds. */
  private static String reason(Exception e) {
    String message =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
