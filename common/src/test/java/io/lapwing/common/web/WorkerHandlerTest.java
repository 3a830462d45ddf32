package io.lapwing.common.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.ResponseQuota.Timing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerHandlerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int MORE_THAN_WORKERS = 8;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Keeps its connection. */
  private final HttpClient scraper = HttpClient.newHttpClient();

  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private WebServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        WebServer.start(
            new WebSettings(
                List.of(new ListenAddress("127.0.0.1", 0)),
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                0,
                KnownHosts.of(List.of(), "")),
            routes -> {
              routes.scrape("/metrics", this::page);
              routes.get("/slow", "slow", query -> slow());
            },
            RequestMeter.NONE,
            List.of(),
            Timing.USUAL);
  }

  @AfterEach
  void stop() {
    open.countDown();
    server.close();
  }

  /** The thread that served the request; with a query, only once the latch is open. */
  private Answer page(Query query) {
    return query.names().isEmpty() ? Answer.text(200, Thread.currentThread().getName()) : slow();
  }

  private Answer slow() {
    waiting.incrementAndGet();
    try {
      open.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return Answer.text(200, "slow");
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(server.urls().get(0) + path))
        .timeout(PATIENCE)
        .build();
  }

  private String scrape() throws Exception {
    HttpResponse<String> response = scraper.send(request("/metrics"), BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body().strip();
  }

  @Test
  void aScraperWithAConnectionIsServedWhileAllWorkersAreBusy() throws Exception {
    scrape();
    for (int i = 0; i < MORE_THAN_WORKERS; i++) {
      var unused = client.sendAsync(request("/slow"), BodyHandlers.discarding());
    }
    await().atMost(PATIENCE).until(() -> waiting.get() >= 3);

    assertThat(scrape()).startsWith("http");
  }

  @Test
  void aScrapeThatSelectsFamiliesIsRenderedByAWorker() throws Exception {
    var unused = client.sendAsync(request("/metrics?collect=one"), BodyHandlers.discarding());
    await().atMost(PATIENCE).until(() -> waiting.get() == 1);

    assertThat(scrape()).startsWith("http");
  }

  @Test
  void pipelinedScrapesAreServedByAWorker() throws Exception {
    String receiver = scrape();
    assertThat(scrape()).as("the thread that receives requests").isEqualTo(receiver);

    List<String> bodies = pipelined(20);

    assertThat(bodies).hasSize(20).doesNotContain(receiver);
  }

  /** The bodies of the responses to requests that were sent in one packet. */
  private List<String> pipelined(int count) throws IOException {
    InetSocketAddress address = server.addresses().get(0);
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      String one = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n";
      String last = one + "Connection: close\r\n\r\n";
      String all = (one + "\r\n").repeat(count - 1) + last;
      socket.getOutputStream().write(all.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1)
          .lines()
          .filter(line -> line.startsWith("http"))
          .toList();
    }
  }
}
