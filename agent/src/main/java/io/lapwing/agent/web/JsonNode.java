package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value and its path. Parsed with Jackson's streaming API: loading databind takes longer
 * than a whole {@code lapwing check}.
 *
 * @param value a map, list, string, number or boolean; null for JSON null and for a missing member
 * @param path {@code findings[2].since}; empty for the root
 */
record JsonNode(@Nullable Object value, String path) {

  /** Parses a document. */
  static JsonNode root(byte[] json) throws HealthJson.UnreadableHealth {
    try (JsonParser parser = AsciiJson.FACTORY.createParser(json)) {
      Object value = value(parser, parser.nextToken());
      if (parser.nextToken() != null) {
        throw new HealthJson.UnreadableHealth("trailing data after the JSON");
      }
      return new JsonNode(value, "");
    } catch (JsonProcessingException e) {
      throw new HealthJson.UnreadableHealth("not JSON");
    } catch (HealthJson.UnreadableHealth e) {
      throw e;
    } catch (IOException e) {
      throw new HealthJson.UnreadableHealth("not UTF-8 text");
    }
  }

  private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token)
      throws IOException {
    if (token == null) {
      throw new HealthJson.UnreadableHealth("empty response");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      members.put(name, value(parser, parser.nextToken()));
    }
    return members;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      elements.add(value(parser, token));
    }
    return elements;
  }

  /** A member of this object. */
  JsonNode at(String name) throws HealthJson.UnreadableHealth {
    if (value instanceof Map<?, ?> members) {
      return new JsonNode(members.get(name), path.isEmpty() ? name : path + "." + name);
    }
    throw problem("is not an object");
  }

  boolean isNull() {
    return value == null;
  }

  String text() throws HealthJson.UnreadableHealth {
    if (value instanceof String text) {
      return text;
    }
    throw problem("is not a string");
  }

  long number() throws HealthJson.UnreadableHealth {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw problem("is not an integer");
  }

  double decimal() throws HealthJson.UnreadableHealth {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw problem("is not a number");
  }

  boolean flag() throws HealthJson.UnreadableHealth {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw problem("is not a boolean");
  }

  Instant instant() throws HealthJson.UnreadableHealth {
    try {
      return Instant.parse(text());
    } catch (DateTimeParseException e) {
      throw problem("is not a timestamp");
    }
  }

  /** One of the constants of an enum. */
  <E extends Enum<E>> E oneOf(E[] choices, Function<E, String> word)
      throws HealthJson.UnreadableHealth {
    String text = text();
    for (E choice : choices) {
      if (word.apply(choice).equals(text)) {
        return choice;
      }
    }
    throw problem("is unknown: " + text);
  }

  List<JsonNode> elements() throws HealthJson.UnreadableHealth {
    if (value instanceof List<?> list) {
      List<JsonNode> elements = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        elements.add(new JsonNode(list.get(i), path + "[" + i + "]"));
      }
      return elements;
    }
    throw problem("is not an array");
  }

  /** The members of an object of strings. */
  Map<String, String> texts() throws HealthJson.UnreadableHealth {
    if (value instanceof Map<?, ?> members) {
      Map<String, String> texts = new TreeMap<>();
      for (Object name : members.keySet()) {
        texts.put(String.valueOf(name), at(String.valueOf(name)).text());
      }
      return texts;
    }
    throw problem("is not an object");
  }

  HealthJson.UnreadableHealth problem(String what) {
    String where = path.isEmpty() ? "the document" : path;
    return new HealthJson.UnreadableHealth(where + " " + (value == null ? "is missing" : what));
  }
}
