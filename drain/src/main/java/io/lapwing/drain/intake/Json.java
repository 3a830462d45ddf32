package io.lapwing.drain.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** JSON of strangers: shallow, and no member twice, since programs differ in which one counts. */
public final class Json {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(30)
                          .maxStringLength(1 << 20)
                          .build())
                  .build())
          .build();

  private Json() {}

  /** A message that cannot be used. */
  public static final class Unusable extends Exception {

    private static final long serialVersionUID = 1;

    private final Result result;
    private final String what;

    public Unusable(Result result, String what) {
      super(what);
      this.result = result;
      this.what = what;
    }

    public Outcome outcome() {
      return new Outcome(result, what);
    }

    public Intake intake() {
      return Intake.of(result, what);
    }
  }

  /** Reads the members of an object one by one. */
  interface Members {
    /** Reads a member's value, or leaves it. */
    void read(String name, JsonParser value) throws IOException, Unusable;
  }

  /**
   * Reads an object without keeping all of it.
   *
   * @throws Unusable if it is no object of JSON, or is followed by more
   */
  static void members(byte[] json, String what, Members members) throws Unusable {
    try (JsonParser parser = MAPPER.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Unusable(Result.MALFORMED, what + ": not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        members.read(name, parser);
        parser.skipChildren();
      }
      if (parser.nextToken() != null) {
        throw new Unusable(Result.MALFORMED, what + ": text behind the JSON object");
      }
    } catch (IOException e) {
      throw notJson(what, e);
    }
  }

  /**
   * An object as a tree.
   *
   * @throws Unusable if it is no object of JSON
   */
  public static JsonNode object(byte[] json, String what) throws Unusable {
    try (JsonParser parser = MAPPER.createParser(json)) {
      JsonNode node = MAPPER.readTree(parser);
      if (node == null || !node.isObject() || parser.nextToken() != null) {
        throw new Unusable(Result.MALFORMED, what + ": not one JSON object");
      }
      return node;
    } catch (IOException e) {
      throw notJson(what, e);
    }
  }

  private static Unusable notJson(String what, IOException e) {
    String why = e instanceof JsonProcessingException p ? p.getOriginalMessage() : e.getMessage();
    return new Unusable(
        Result.MALFORMED, what + ": not JSON: " + Words.plain(String.valueOf(why), 200));
  }

  /** The value that a parser stands on, as a tree. */
  static JsonNode tree(JsonParser value) throws IOException {
    return MAPPER.readTree(value);
  }
}
