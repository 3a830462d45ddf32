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
 * The values of a reply one after the other, never more than one in memory. What is of another type
 * than NCCL writes fails the reply; {@code null} is nothing told.
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

  /** Before the first value, which {@link #begin} goes to. */
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

  /** What is done with the value of one field; it must leave the parser at the end of the value. */
  interface Field {
    void read(String name) throws IOException, RasFailure;
  }

  /** What is done with one element. */
  interface Element {
    void read() throws IOException, RasFailure;
  }

  /** Each field of the object that begins here. */
  void object(Field field) throws IOException, RasFailure {
    expect(json.currentToken() == JsonToken.START_OBJECT);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      field.read(name);
    }
    expect(json.currentToken() == JsonToken.END_OBJECT);
  }

  /** Each element of the array that begins here. */
  void array(Element element) throws IOException, RasFailure {
    expect(json.currentToken() == JsonToken.START_ARRAY);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  /** Passes over a value of any type. */
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

  /** Whole and of 32 bits; so much where nothing is told. */
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

  /** A count or a time: finite and not below 0. */
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

  /** What went wrong: whatever the parser makes of it, a reply that ended was cut off. */
  RasFailure failure(Exception broken) {
    boolean wrongText = broken instanceof JacksonException || broken instanceof RasFailure;
    if (wrongText && ended) {
      return new RasFailure(RasFailure.CUT_OFF, "the reply ended before its end");
    }
    if (broken instanceof RasFailure failure) {
      return failure;
    }
    return broken instanceof IOException below && !wrongText
        ? RasConversation.failure(below)
        : new RasFailure(RasFailure.MALFORMED, "the reply is no JSON");
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
