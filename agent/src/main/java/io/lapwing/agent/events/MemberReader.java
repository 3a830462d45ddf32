package io.lapwing.agent.events;

import io.lapwing.json.JsonCursor;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The members of a line's JSON object. Null counts as missing; unrequested members may be anything.
 */
record MemberReader(Map<?, ?> values) {

  /** The line is not an event. The message quotes nothing but names of members. */
  static final class MalformedLineException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedLineException(String why) {
      super(why);
    }
  }

  /** Reads an object that nothing follows. */
  static MemberReader of(byte[] line, int from, int length)
      throws IOException, MalformedLineException {
    try (JsonCursor json = JsonCursor.ofAgent(line, from, length)) {
      if (!json.isObject() || !(json.value() instanceof Map<?, ?> values)) {
        throw new MalformedLineException("not a JSON object");
      }
      if (!json.ends()) {
        throw new MalformedLineException("more than one JSON object");
      }
      return new MemberReader(values);
    }
  }

  private boolean has(String name) {
    return values.get(name) != null;
  }

  private <T> T required(String name, Class<T> type, String expected)
      throws MalformedLineException {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw fault(name, expected);
    }
    return type.cast(value);
  }

  private MalformedLineException fault(String name, String expected) {
    return new MalformedLineException(
        has(name) ? name + " is not " + expected : name + " is missing");
  }

  String text(String name) throws MalformedLineException {
    return required(name, String.class, "a text");
  }

  String textIfPresent(String name) throws MalformedLineException {
    return has(name) ? text(name) : "";
  }

  long number(String name) throws MalformedLineException {
    return required(name, Long.class, "a whole number");
  }

  int integer(String name) throws MalformedLineException {
    long number = number(name);
    if (number != (int) number) {
      throw fault(name, "a number of 32 bits");
    }
    return (int) number;
  }

  OptionalLong optionalLong(String name) throws MalformedLineException {
    return has(name) ? OptionalLong.of(number(name)) : OptionalLong.empty();
  }

  OptionalInt optionalInt(String name) throws MalformedLineException {
    return has(name) ? OptionalInt.of(integer(name)) : OptionalInt.empty();
  }

  boolean flag(String name) throws MalformedLineException {
    return required(name, Boolean.class, "true or false");
  }

  boolean flagIfPresent(String name) throws MalformedLineException {
    return has(name) && flag(name);
  }

  Instant instant(String name) throws MalformedLineException {
    String text = text(name);
    try {
      return InstantText.parse(text);
    } catch (DateTimeException e) {
      throw fault(name, "a date and time in UTC");
    }
  }

  Instant instant(String name, String otherwise) throws MalformedLineException {
    return instant(has(name) ? name : otherwise);
  }

  /** Empty if it is missing; origins of a newer agent are left out. */
  Set<Event.Origin> origins(String name) throws MalformedLineException {
    Set<Event.Origin> origins = EnumSet.noneOf(Event.Origin.class);
    if (has(name)) {
      List<?> names = required(name, List.class, "an array");
      for (Event.Origin origin : Event.Origin.values()) {
        if (names.contains(origin.name().toLowerCase(Locale.ROOT))) {
          origins.add(origin);
        }
      }
    }
    return origins;
  }

  /**
   * Parses {@link Instant#toString}. With the JDK's parser alone, opening a log of 4,500 events
   * takes a third more processor time (75 ms).
   */
  static final class InstantText {
    private static final String SHAPE = "0000-00-00T00:00:00.000000000Z";
    private static final int SECOND_END = 19;

    private InstantText() {}

    static Instant parse(String text) {
      return isUsual(text) ? usual(text) : Instant.parse(text);
    }

    private static Instant usual(String text) {
      int digits = Math.max(0, text.length() - SECOND_END - 2);
      int nanos = digits == 0 ? 0 : number(text, SECOND_END + 1, SECOND_END + 1 + digits);
      for (int i = digits; i < 9; i++) {
        nanos *= 10;
      }
      return LocalDateTime.of(
              number(text, 0, 4),
              number(text, 5, 7),
              number(text, 8, 10),
              number(text, 11, 13),
              number(text, 14, 16),
              number(text, 17, SECOND_END),
              nanos)
          .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int to) {
      int number = 0;
      for (int i = from; i < to; i++) {
        number = number * 10 + text.charAt(i) - '0';
      }
      return number;
    }

    /** The hour 24 and the second 60, which {@link Instant#parse} accepts, are not usual. */
    private static boolean isUsual(String text) {
      int last = text.length() - 1;
      if (last < SECOND_END || last == SECOND_END + 1 || last >= SHAPE.length()) {
        return false;
      }
      for (int i = 0; i <= last; i++) {
        char c = text.charAt(i);
        char shape = i == last ? 'Z' : SHAPE.charAt(i);
        if (shape == '0' ? c < '0' || c > '9' : c != shape) {
          return false;
        }
      }
      return number(text, 11, 13) < 24 && number(text, 14, 16) < 60 && number(text, 17, 19) < 60;
    }
  }
}
