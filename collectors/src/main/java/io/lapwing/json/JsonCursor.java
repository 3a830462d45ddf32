package io.lapwing.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON document value by value in bounded memory. {@link #object} and {@link #array} move
 * to each value inside, and every callback must consume its value with one call:
 *
 * <pre>
 * json.object(
 *     name -> {
 *       switch (name) {
 *         case "version" -> version = json.text();
 *         case "ranks" -> json.array(() -> ranks.add(json.integer()));
 *         default -> json.skip();
 *       }
 *     });
 * json.end();
 * </pre>
 *
 * <p>Every method throws {@link NotJson} for anything but the JSON that it expects.
 */
public final class JsonCursor implements AutoCloseable {

  private static final int MAX_DEPTH = 32;
  private static final int MAX_TEXT = 64 * 1024;
  private static final int MAX_NAME = 1024;
  private static final int MAX_NUMBER = 64;
  private static final long MAX_DOCUMENT = 16 * 1024 * 1024;

  private static final JsonFactory JSON = factory(MAX_DOCUMENT);
  private static final JsonFactory BOUNDED_BY_SOURCE = factory(Long.MAX_VALUE);

  /** With Jackson's own limits; names may be anything in a damaged file. */
  private static final JsonFactory OF_AGENTS =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private final JsonParser json;
  private boolean sourceEnded;

  private JsonCursor(Source source) throws IOException {
    this.json = source.open(this);
    next();
  }

  private static JsonFactory factory(long maxDocument) {
    return JsonFactory.builder()
        .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
        .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_TEXT)
                .maxNameLength(MAX_NAME)
                .maxNumberLength(MAX_NUMBER)
                .maxDocumentLength(maxDocument)
                .build())
        .build();
  }

  private interface Source {
    JsonParser open(JsonCursor cursor) throws IOException;
  }

  public interface Member {
    void read(String name) throws IOException;
  }

  public interface Element {
    void read() throws IOException;
  }

  /** At the first value of a stream, which the caller closes. */
  public static JsonCursor of(InputStream in) throws IOException {
    return new JsonCursor(cursor -> JSON.createParser(cursor.noting(in)));
  }

  /** As {@link #of(InputStream)}, for a stream that limits its own length: it may exceed 16 MiB. */
  public static JsonCursor ofBounded(InputStream in) throws IOException {
    return new JsonCursor(cursor -> BOUNDED_BY_SOURCE.createParser(cursor.noting(in)));
  }

  /** At the first value of a text. */
  public static JsonCursor of(String text) throws IOException {
    return new JsonCursor(cursor -> JSON.createParser(text));
  }

  /** At the first value of an agent's own file, which may be damaged. */
  public static JsonCursor ofAgent(byte[] json, int from, int length) throws IOException {
    return new JsonCursor(cursor -> OF_AGENTS.createParser(json, from, length));
  }

  private InputStream noting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int got = super.read(into, offset, length);
        sourceEnded |= got < 0;
        return got;
      }
    };
  }

  public boolean isEmpty() {
    return json.currentToken() == null;
  }

  public boolean isObject() {
    return json.currentToken() == JsonToken.START_OBJECT;
  }

  public boolean isArray() {
    return json.currentToken() == JsonToken.START_ARRAY;
  }

  public boolean isText() {
    return json.currentToken() == JsonToken.VALUE_STRING;
  }

  public boolean isNull() {
    return json.currentToken() == JsonToken.VALUE_NULL;
  }

  /** Reads each member of an object. */
  public void object(Member member) throws IOException {
    expect(isObject(), "not an object");
    while (next() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      next();
      member.read(name);
    }
    expect(json.currentToken() == JsonToken.END_OBJECT, "an object without its end");
  }

  /** Reads each element of an array. */
  public void array(Element element) throws IOException {
    expect(isArray(), "not an array");
    for (JsonToken at = next(); at != JsonToken.END_ARRAY; at = next()) {
      expect(at != null, "an array without its end");
      element.read();
    }
  }

  public void skip() throws IOException {
    guarded(json::skipChildren);
    expect(json.currentToken() != null, "a value without its end");
  }

  /** The members of an object that are text, numbers or booleans, as text; others are skipped. */
  public Map<String, String> scalars() throws IOException {
    Map<String, String> members = new HashMap<>();
    object(
        name -> {
          JsonToken at = json.currentToken();
          if (at != null && at.isScalarValue() && !isNull()) {
            members.put(name, guarded(json::getText));
          } else {
            members.remove(name);
            skip();
          }
        });
    return members;
  }

  /** A text; empty for {@code null}. */
  public String text() throws IOException {
    expect(isText() || isNull(), "not a text");
    return isNull() ? "" : guarded(json::getText);
  }

  /** A text; empty for a value of any other type, which is skipped. */
  public String textOrEmpty() throws IOException {
    if (isText()) {
      return text();
    }
    skip();
    return "";
  }

  /** A whole number of 32 bits; empty for {@code null}. */
  public OptionalInt integer() throws IOException {
    expect(isNull() || json.currentToken() == JsonToken.VALUE_NUMBER_INT, "not a whole number");
    return isNull() ? OptionalInt.empty() : OptionalInt.of(guarded(json::getIntValue));
  }

  /** A boolean; false for {@code null}. */
  public boolean flag() throws IOException {
    JsonToken at = json.currentToken();
    expect(isNull() || (at != null && at.isBoolean()), "not a boolean");
    return at == JsonToken.VALUE_TRUE;
  }

  /** A count or a duration: a finite number of at least 0. */
  public double amount() throws IOException {
    JsonToken at = json.currentToken();
    expect(at != null && at.isNumeric(), "not a number");
    double amount = guarded(json::getDoubleValue);
    expect(Double.isFinite(amount) && amount >= 0, "not a finite number of at least 0");
    return amount;
  }

  /** A value of any type: map, list, text, boolean, {@code Long}, {@code Double} or null. */
  public @Nullable Object value() throws IOException {
    try {
      return tree();
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private @Nullable Object tree() throws IOException {
    JsonToken at = json.currentToken();
    if (at == null) {
      throw notJson("no value", "no value");
    }
    return switch (at) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> members = new HashMap<>(32);
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
          json.nextToken();
          members.put(name, tree());
        }
        yield members;
      }
      case START_ARRAY -> {
        List<@Nullable Object> elements = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          elements.add(tree());
        }
        yield elements;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private Object number() throws IOException {
    JsonParser.NumberType type = json.getNumberType();
    boolean isLong = type == JsonParser.NumberType.INT || type == JsonParser.NumberType.LONG;
    return isLong ? (Object) json.getLongValue() : (Object) json.getDoubleValue();
  }

  /** Moves behind the value that was read; whether nothing follows. */
  public boolean ends() throws IOException {
    return next() == null;
  }

  /** Checks that nothing follows the value that was read. */
  public void end() throws IOException {
    expect(ends(), "more text after the end");
  }

  /** Checks a condition on what was read. */
  public void expect(boolean holds, String otherwise) throws NotJson {
    if (!holds) {
      throw notJson(otherwise, otherwise);
    }
  }

  private @Nullable JsonToken next() throws IOException {
    return guarded(json::nextToken);
  }

  private interface Call<T extends @Nullable Object> {
    T get() throws IOException;
  }

  private <T extends @Nullable Object> T guarded(Call<T> call) throws IOException {
    try {
      return call.get();
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private NotJson malformed(JacksonException e) {
    String reason = e.getOriginalMessage();
    return notJson(
        "not JSON, or beyond a limit", reason == null ? e.getClass().getSimpleName() : reason);
  }

  private NotJson notJson(String why, String reason) {
    long at =
        Math.max(json.currentLocation().getByteOffset(), json.currentLocation().getCharOffset());
    return new NotJson("at " + at + ": " + why, reason, sourceEnded);
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
