package io.lapwing.agent.events;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The members of one line's JSON object. A member that is null counts as missing; one that is not
 * asked for may be anything.
 */
final class MemberReader {

  /** The line is not an event. The message quotes nothing but names of members. */
  static final class MalformedLineException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedLineException(String why) {
      super(why);
    }
  }

  /** In place of values that no event has: objects, fractions, integers beyond 64 bits. */
  private static final Object UNSUPPORTED = new Object();

  private final Map<String, Object> values;

  private MemberReader(Map<String, Object> values) {
    this.values = values;
  }

  /** Reads an object that nothing follows. */
  static MemberReader of(JsonParser parser) throws IOException, MalformedLineException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new MalformedLineException("not a JSON object");
    }
    Map<String, Object> values = new HashMap<>(32);
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (parser.nextToken() != JsonToken.VALUE_NULL) {
        values.put(name, value(parser));
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
      throw new MalformedLineException("more than one JSON object");
    }
    return new MemberReader(values);
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? UNSUPPORTED
              : (Object) parser.getLongValue();
      case START_ARRAY -> {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield items;
      }
      case START_OBJECT -> {
        parser.skipChildren();
        yield UNSUPPORTED;
      }
      default -> UNSUPPORTED;
    };
  }

  private boolean has(String name) {
    return values.containsKey(name);
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

  /** Empty if it is missing. */
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

  /** False if it is missing. */
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

  /** The other member if it is missing. */
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
}
