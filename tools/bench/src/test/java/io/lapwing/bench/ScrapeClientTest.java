package io.lapwing.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ScrapeClientTest {

  private static final byte[] PAGE = "metric 1\n".repeat(20_000).getBytes(UTF_8);

  @Test
  void readsAReplyOfAnnouncedLengthAgainAndAgain() throws IOException {
    readsThreeTimes(PAGE.length);
  }

  @Test
  void joinsTheChunksOfAReplyWithoutALength() throws IOException {
    readsThreeTimes(0);
  }

  @Test
  void countsLinesThatAreSeries() {
    byte[] page = "# HELP a b\n# TYPE a gauge\na{x=\"#\"} 1\n\nb 2\n".getBytes(UTF_8);
    assertThat(PageSize.series(page)).isEqualTo(2);
  }

  private static void readsThreeTimes(long announcedLength) throws IOException {
    HttpServer server = FixedPageServer.start(0, PAGE, announcedLength);
    try (ScrapeClient client =
        new ScrapeClient(server.getAddress().getPort(), "/metrics", Encoding.PLAIN)) {
      for (int i = 0; i < 3; i++) {
        client.scrapeNanos();
        assertThat(client.body()).isEqualTo(PAGE);
      }
    } finally {
      server.stop(0);
    }
  }
}
