package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Negotiation;
import io.lapwing.common.web.Page;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Compresses the responses of a page if the client accepts gzip. */
record Gzipped(Page page) implements Page {

  /** Smaller responses fit into one packet and are not compressed. */
  private static final int MIN_BYTES = 1200;

  @Override
  public Answer answer(Query query) {
    Answer plain = page.answer(query);
    Map<String, String> headers = new HashMap<>(plain.headers());
    headers.put("Vary", "Accept-Encoding");
    boolean gzip = isWanted(plain.body(), query);
    if (gzip) {
      headers.put("Content-Encoding", "gzip");
    }
    return new Answer(
        plain.status(), plain.contentType(), headers, gzip ? gzip(plain.body()) : plain.body());
  }

  static boolean isWanted(byte[] body, Query query) {
    return body.length > MIN_BYTES && Negotiation.gzip(query.header("Accept-Encoding"));
  }

  static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 2);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return bytes.toByteArray();
  }
}
