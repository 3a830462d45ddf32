package io.lapwing.agent.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer, complete.
 *
 * @param body shared; nobody writes to it
 */
@SuppressWarnings("ArrayRecordComponent") // a page of 300 kB is not copied to be sent
record Answer(int status, String contentType, Map<String, String> headers, byte[] body) {
  private static final String PLAIN = "text/plain; charset=utf-8";

  /** One sentence. */
  static Answer sentence(int status, String sentence) {
    return new Answer(status, PLAIN, Map.of(), (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The page stands elsewhere for good. */
  static Answer moved(String location) {
    return new Answer(
        308,
        PLAIN,
        Map.of("Location", location),
        (location + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Answer ok(String contentType, byte[] body) {
    return new Answer(200, contentType, Map.of(), body);
  }
}
