package io.lapwing.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** How large a server's page is: its bytes, plain and gzip, and the series on it. */
record Page(int plainBytes, int gzipBytes, long series) {

  static Page of(Server server) throws IOException {
    byte[] plain = body(server, Encoding.PLAIN);
    return new Page(plain.length, body(server, Encoding.GZIP).length, series(plain));
  }

  private static byte[] body(Server server, Encoding encoding) throws IOException {
    try (ScrapeClient client = server.connect(encoding)) {
      client.scrapeNanos();
      return client.body();
    }
  }

  static long series(byte[] plain) {
    return new String(plain, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .count();
  }
}
