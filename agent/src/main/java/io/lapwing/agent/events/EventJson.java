package io.lapwing.agent.events;

import io.lapwing.agent.events.LogQueue.PendingEvent;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import io.lapwing.json.NotJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An event as a flat JSON object: {@code kind}, {@code at}, then the components of the record under
 * their own names, without those that are empty. {@link EventKind} has them all.
 *
 * <pre>{@code
 * {"kind":"gpu_reset","at":"2026-11-20T11:20:00.123456Z","gpu":"GPU-...","sign":"..."}
 * }</pre>
 */
public final class EventJson {

  private EventJson() {}

  sealed interface ParsedLine {

    /**
     * An event. {@code carried}: part of the snapshot at a file's start, {@code complete}: its
     * first; {@code more}: counts only with the next line, appended together.
     */
    record Known(Event event, boolean carried, boolean complete, boolean more)
        implements ParsedLine {

      /** An event that no other line belongs to. */
      Known(Event event, boolean carried) {
        this(event, carried, false, false);
      }
    }

    /** An event of a kind of a newer agent. */
    record UnknownKind(String kind, boolean more) implements ParsedLine {}

    record Malformed(String why) implements ParsedLine {}
  }

  /** The event as an object. Texts are shortened to the bounds of the log. */
  public static Members of(Event event) {
    return of(event, false, false, false);
  }

  private static Members of(Event event, boolean complete, boolean carried, boolean more) {
    return json -> {
      EventKind.of(event).write(event, new MemberWriter(json));
      mark(json, "complete", complete);
      mark(json, "carried", carried);
      mark(json, "more", more);
    };
  }

  private static void mark(JsonWriter json, String name, boolean marked) {
    if (marked) {
      json.member(name, true);
    }
  }

  /** One line for each event, each with its line feed. */
  static byte[] lines(List<Event> events) {
    return lines(events.size(), events.stream().map(EventJson::of));
  }

  /** As {@link #lines}, with {@code more} as the last member of those that need the next one. */
  static byte[] pendingLines(List<PendingEvent> events) {
    return lines(
        events.size(), events.stream().map(one -> of(one.event(), false, false, one.more())));
  }

  /**
   * As {@link #lines}, with {@code carried} last; the first line of a snapshot is {@code complete}
   * too.
   */
  static byte[] snapshotLines(List<Event> events, boolean first) {
    return lines(
        events.size(),
        IntStream.range(0, events.size())
            .mapToObj(i -> of(events.get(i), first && i == 0, true, false)));
  }

  private static byte[] lines(int count, Stream<Members> events) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 * count);
    try (JsonWriter json = JsonWriter.lines(bytes)) {
      events.forEach(json::object);
    }
    return bytes.toByteArray();
  }

  /** Parses one line, without its line feed. */
  static ParsedLine read(byte[] bytes, int from, int length) {
    try {
      return parsed(MemberReader.of(bytes, from, length));
    } catch (MemberReader.MalformedLineException e) {
      return new ParsedLine.Malformed(String.valueOf(e.getMessage()));
    } catch (NotJson e) {
      return new ParsedLine.Malformed("not JSON: " + e.reason());
    } catch (IOException e) {
      String why = e.getMessage();
      return new ParsedLine.Malformed(
          "not UTF-8: " + (why == null ? e.getClass().getSimpleName() : why));
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
}
