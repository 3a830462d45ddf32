package io.lapwing.nccl;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The values of a reply in order, one in memory at a time. A value of an unexpected type fails the
 * reply; {@code null} counts as absent.
 */
final class RasJson implements AutoCloseable {

  private static final int DEEPEST = 32;
  private static final int LONGEST_TEXT = 1024;
  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_NUMBER = 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(LONGEST_TEXT)
                  .maxNameLength(LONGEST_NAME)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .build();

  private final JsonParser json;
  private boolean ended;

  /** Positioned before the first value; see {@link #begin}. */
  RasJson(InputStream in) throws IOException {
    json = JSON.createParser(new EndNoted(in));
  }

  private final class EndNoted extends FilterInputStream {

    EndNoted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int got = super.read(into, offset, length);
      ended |= got < 0;
      return got;
    }
  }

  void begin() throws IOException {
    json.nextToken();
  }

  /** Handles the value of a field; must leave the parser at the end of the value. */
  interface Field {
    void read(String name) throws IOException, RasFailure;
  }

  /** Handles an array element. */
  interface Element {
    void read() throws IOException, RasFailure;
  }

  /** Visits each field of the object that starts here. */
  void object(Field field) throws IOException, RasFailure {
    expect(json.currentToken() == JsonToken.START_OBJECT);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      field.read(name);
    }
    expect(json.currentToken() == JsonToken.END_OBJECT);
  }

  /** Visits each element of the array that starts here. */
  void array(Element element) throws IOException, RasFailure {
    expect(json.currentToken() == JsonToken.START_ARRAY);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  /** Skips a value of any type. */
  void skip() throws IOException, RasFailure {
    json.skipChildren();
    expect(json.currentToken() != null);
  }

  String text() throws IOException, RasFailure {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return "";
    }
    expect(json.currentToken() == JsonToken.VALUE_STRING);
    return json.getText();
  }

  /**
   * A 32-bit integer.
   *
   * @param otherwise the default for null
   */
  int integer(int otherwise) throws IOException, RasFailure {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return otherwise;
    }
    expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT);
    return json.getIntValue();
  }

  boolean flag() throws RasFailure {
    JsonToken token = json.currentToken();
    expect(token != null && (token.isBoolean() || token == JsonToken.VALUE_NULL));
    return token == JsonToken.VALUE_TRUE;
  }

  /** A count or a time: finite and not negative. */
  double amount() throws IOException, RasFailure {
    JsonToken token = json.currentToken();
    expect(token != null && token.isNumeric());
    double amount = json.getDoubleValue();
    expect(Double.isFinite(amount) && amount >= 0);
    return amount;
  }

  static void expect(boolean asNcclWritesIt) throws RasFailure {
    if (!asNcclWritesIt) {
      throw new RasFailure(RasFailure.MALFORMED, "the reply is not as NCCL writes it");
    }
  }

  /**
   * Maps a parser failure; any failure at the end of the stream means that the reply was truncated.
   */
  RasFailure failure(Exception broken) {
    boolean wrongText = broken instanceof JacksonException || broken instanceof RasFailure;
    if (wrongText && ended) {
      return new RasFailure(RasFailure.CUT_OFF, "the reply ended before its end");
    }
    if (broken instanceof RasFailure failure) {
      return failure;
    }
    return broken instanceof IOException below && !wrongText
        ? RasConnection.failure(below)
        : new RasFailure(RasFailure.MALFORMED, "the reply is no JSON");
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
