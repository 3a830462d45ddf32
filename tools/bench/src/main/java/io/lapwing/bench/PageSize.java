package io.lapwing.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Size of a server's scrape response: bytes, plain and gzip, and number of series. */
record PageSize(int plainBytes, int gzipBytes, long series) {

  static PageSize of(Server server) throws IOException {
    byte[] plain = body(server, Encoding.PLAIN);
    return new PageSize(plain.length, body(server, Encoding.GZIP).length, series(plain));
  }

  private static byte[] body(Server server, Encoding encoding) throws IOException {
    try (ScrapeClient client = server.connect(encoding)) {
      client.scrapeNanos();
      return client.body();
    }
  }

  static long series(byte[] plain) {
    return MetricsPage.count(new String(plain, StandardCharsets.UTF_8));
  }
}
