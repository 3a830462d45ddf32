package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Negotiation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** A page that is compressed for those that allow it, and worth it. */
record Gzipped(Page page) implements Page {

  /** What goes into one packet is sent as it is. */
  private static final int WORTH = 1200;

  @Override
  public Answer answer(Query query) {
    Answer plain = page.answer(query);
    Map<String, String> headers = new HashMap<>(plain.headers());
    headers.put("Vary", "Accept-Encoding");
    boolean gzip = plain.body().length > WORTH && Negotiation.gzip(query.header("Accept-Encoding"));
    if (gzip) {
      headers.put("Content-Encoding", "gzip");
    }
    return new Answer(
        plain.status(), plain.contentType(), headers, gzip ? gzip(plain.body()) : plain.body());
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 2);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return bytes.toByteArray();
  }
}
