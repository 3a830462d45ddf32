package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * JSON that people print: in lines, and in ASCII, so that no control sequence in the name of a
 * process reaches a terminal.
 */
public final class AsciiJson {

  static final JsonFactory FACTORY =
      new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private AsciiJson() {}

  /** Writes one value. */
  interface Writing {
    void write(JsonGenerator json) throws IOException;
  }

  /** A value as the body of a page. */
  static byte[] page(Writing writing) {
    return bytes(
        json -> {
          json.useDefaultPrettyPrinter();
          writing.write(json);
        });
  }

  /** A value as the body of a page for programs. */
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

  /** For values one after the other, each on a line that its writer ends. The stream stays open. */
  public static JsonGenerator lines(OutputStream out) throws IOException {
    return FACTORY
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .setRootValueSeparator(null);
  }
}
