package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** JSON in ASCII only, so that a control sequence in a process name cannot reach a terminal. */
public final class AsciiJson {

  static final JsonFactory FACTORY =
      new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private AsciiJson() {}

  /** Writes one value. */
  interface Writing {
    void write(JsonGenerator json) throws IOException;
  }

  /** A pretty-printed response body. */
  static byte[] page(Writing writing) {
    return bytes(
        json -> {
          json.useDefaultPrettyPrinter();
          writing.write(json);
        });
  }

  /** A response body on one line. */
  static byte[] line(Writing writing) {
    return bytes(writing);
  }

  private static byte[] bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      writing.write(json);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** A generator for JSON lines; the caller writes each line feed. Does not close the stream. */
  public static JsonGenerator lines(OutputStream out) throws IOException {
    return FACTORY
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .setRootValueSeparator(null);
  }
}
