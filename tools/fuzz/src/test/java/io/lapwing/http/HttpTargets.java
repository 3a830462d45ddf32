package io.lapwing.http;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Responses of HTTP servers. */
public final class HttpTargets {

  private HttpTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("http-answer", HttpTargets::answer)
            .seeds(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: identity\r\n\r\nhello",
                String.join(
                    "\r\n",
                    "HTTP/1.1 200 OK",
                    "transfer-encoding: Chunked",
                    "",
                    "5;x=y",
                    "hello",
                    "0",
                    "",
                    "")));
  }

  private static void answer(byte[] input) {
    InputStream in = new ByteArrayInputStream(input);
    try {
      int length =
          HttpClient.response(in, (head, body) -> head.gzip() ? 0 : body.readAllBytes().length);
      demand(length <= input.length, "more than was sent");
    } catch (IOException declared) {
      // Truncated or malformed.
    }
  }
}
