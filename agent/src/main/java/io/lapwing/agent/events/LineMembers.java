package io.lapwing.agent.events;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The members of one line. A member that is null counts as not there; one that nobody asks for may
 * be anything.
 */
final class LineMembers {

  /** Stands for a value that no member of an event has: an object, a fraction, a huge number. */
  private static final Object UNFIT = new Object();

  private final Map<String, Object> values;

  private LineMembers(Map<String, Object> values) {
    this.values = values;
  }

  /** Reads the one object of a line. */
  static LineMembers of(JsonParser parser) throws IOException, MalformedLine {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new MalformedLine("no JSON object");
    }
    Map<String, Object> values = new HashMap<>(32);
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      put(values, name, parser);
    }
    if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
      throw new MalformedLine("more than one JSON object");
    }
    return new LineMembers(values);
  }

  private static void put(Map<String, Object> values, String name, JsonParser parser)
      throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NULL) {
      values.put(name, value(parser));
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> number(parser);
      case START_ARRAY -> array(parser);
      case START_OBJECT -> {
        parser.skipChildren();
        yield UNFIT;
      }
      default -> UNFIT;
    };
  }

  private static Object number(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? UNFIT
        : (Object) parser.getLongValue();
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser));
    }
    return items;
  }

  String text(String name) throws MalformedLine {
    if (values.get(name) instanceof String text) {
      return text;
    }
    throw fault(name, "a text");
  }

  /** Empty where it is left out. */
  String some(String name) throws MalformedLine {
    return values.containsKey(name) ? text(name) : "";
  }

  long number(String name) throws MalformedLine {
    if (values.get(name) instanceof Long number) {
      return number;
    }
    throw fault(name, "a whole number");
  }

  int small(String name) throws MalformedLine {
    long number = number(name);
    if (number != (int) number) {
      throw fault(name, "a number of 32 bits");
    }
    return (int) number;
  }

  OptionalLong someNumber(String name) throws MalformedLine {
    return values.containsKey(name) ? OptionalLong.of(number(name)) : OptionalLong.empty();
  }

  OptionalInt someSmall(String name) throws MalformedLine {
    return values.containsKey(name) ? OptionalInt.of(small(name)) : OptionalInt.empty();
  }

  boolean flag(String name) throws MalformedLine {
    if (values.get(name) instanceof Boolean flag) {
      return flag;
    }
    throw fault(name, "true or false");
  }

  /** False where it is left out. */
  boolean someFlag(String name) throws MalformedLine {
    return values.containsKey(name) && flag(name);
  }

  List<?> someList(String name) throws MalformedLine {
    Object value = values.getOrDefault(name, List.of());
    if (value instanceof List<?> list) {
      return list;
    }
    throw fault(name, "an array");
  }

  Instant instant(String name) throws MalformedLine {
    try {
      return InstantText.parse(text(name));
    } catch (DateTimeException e) {
      throw fault(name, "a date and time in UTC");
    }
  }

  /** The other one where it is left out. */
  Instant instant(String name, String otherwise) throws MalformedLine {
    return instant(values.containsKey(name) ? name : otherwise);
  }

  private MalformedLine fault(String name, String expected) {
    return new MalformedLine(
        values.containsKey(name) ? name + " is not " + expected : name + " is missing");
  }
}
