package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.Settings;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the server refuses or cuts off, and whom that leaves undisturbed. */
class WebServerLimitsTest extends WebServerFixture {

  @Test
  void theLoopRunsTasksWhileAWorkerIsFree() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    AtomicInteger inside = new AtomicInteger();
    node =
        () -> {
          inside.incrementAndGet();
          awaitOpen(stuck);
          return "late";
        };
    WebServer server = start();
    Consumer<Runnable> loop = server.loops().get(0);
    CountDownLatch free = new CountDownLatch(1);
    loop.accept(free::countDown);
    await().atMost(PATIENCE).until(() -> free.getCount() == 0);

    CountDownLatch crowded = new CountDownLatch(1);
    try {
      for (int request = 0; request < 8; request++) {
        var unused =
            client.sendAsync(request(server, "/api/v1/node").build(), BodyHandlers.discarding());
      }
      // One of the four threads is the selector.
      await().atMost(PATIENCE).until(() -> inside.get() >= 3);
      loop.accept(crowded::countDown);
      assertThat(crowded.await(200, TimeUnit.MILLISECONDS)).isFalse();
    } finally {
      stuck.countDown();
    }

    await().atMost(PATIENCE).until(() -> crowded.getCount() == 0);
  }

  @Test
  void anOversizedHeaderIsRefused() throws Exception {
    assertThat(raw(start(), "GET / HTTP/1.1\r\nX-Long: " + "x".repeat(9000)))
        .startsWith("HTTP/1.1 431 ")
        .doesNotContain("Jetty", "<html");
  }

  @Test
  void aRequestWithABodyIsRefused() throws Exception {
    WebServer server = start();

    assertThat(raw(server, "GET / HTTP/1.1\r\nContent-Length: 1000000"))
        .startsWith("HTTP/1.1 413 ");
    assertThat(raw(server, "GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked"))
        .startsWith("HTTP/1.1 413 ");
    assertThat(raw(server, "GET /-/healthy HTTP/1.1\r\nContent-Length: 0"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aRequestLineThatIsTooLongIsRefused() throws Exception {
    assertThat(raw(start(), "GET /" + "x".repeat(9000) + " HTTP/1.1"))
        .startsWith("HTTP/1.1 414 ")
        .doesNotContain("Jetty", "<html");
  }

  @Test
  void scrapesAboveTheLimitAreRefused() throws Exception {
    WebServer server =
        start(
            new Settings.Web(List.of(LOOPBACK), "/metrics", 2, true, Optional.empty()),
            new LargeExposition(64 << 20));
    stuckScrapes(2, server);

    HttpResponse<String> third = get(server, "/metrics");

    assertThat(third.statusCode()).isEqualTo(503);
    assertThat(third.body()).isEqualTo("too many concurrent scrapes; see --web.max-requests\n");
    assertThat(counted.rejected.get()).isEqualTo(1);
    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
    closeClients();
    await().atMost(PATIENCE).until(() -> counted.answered.size() == 4);
    assertThat(
            client
                .send(request(server, "/metrics").build(), BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(200);
  }

  /** 60 sockets that ask for the page and do not read it. */
  @Test
  void clientsThatDoNotReadDoNotKeepAScraperOut() throws Exception {
    WebServer server = start(SETTINGS, new LargeExposition(8 << 20));
    stuckScrapes(60, server);
    now.addAndGet(Timing.USUAL.patience().toNanos() + 1);

    for (int scrape = 0; scrape < 20; scrape++) {
      HttpResponse<Void> page =
          client.send(request(server, "/metrics").build(), BodyHandlers.discarding());
      assertThat(page.statusCode()).isEqualTo(200);
    }

    // Half of the places, for one address.
    assertThat(counted.rejected.get()).isEqualTo(40);
    assertThat(get(server, "/api/v1/health").statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatReadsSlowlyButSteadilyIsCutOff() throws Exception {
    timing = new Timing(now::get, Timing.USUAL.patience(), Duration.ofMillis(500));
    int page = 64 << 20;
    byte[] some = new byte[4096];
    WebServer server = start(SETTINGS, new LargeExposition(page));
    stuckScrapes(1, server);
    InputStream slow = clients.get(0).getInputStream();
    AtomicLong read = new AtomicLong();

    // Its progress keeps the idle timeout of ten seconds from passing.
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              read.addAndGet(Math.max(0, slow.read(some)));
              return counted.answered.size() == 1;
            });
    assertThat(read.get()).isLessThan(page / 2);
  }

  @Test
  void stuckClientsBlockNoThread() throws Exception {
    WebServer server = start(SETTINGS, new LargeExposition(64 << 20));
    stuckScrapes(30, server);

    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .filteredOn(name -> name.startsWith("http-"))
        .hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void idleConnectionsDoNotBlockOthers() throws Exception {
    WebServer server = start();
    for (int i = 0; i < 300; i++) {
      clients.add(connect(server));
    }

    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void stoppingDoesNotWaitForAStuckClient() throws Exception {
    WebServer server = start(SETTINGS, new LargeExposition(64 << 20));
    stuckScrapes(1, server);
    Instant begin = Instant.now();

    server.close();

    // Far above the stop timeout of 500 ms: a busy machine is slow.
    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
    await().atMost(PATIENCE).until(() -> counted.answered.size() == 1);
    assertThatThrownBy(() -> get(server, "/metrics")).isInstanceOf(IOException.class);
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Clients that request the page and do not read it. */
  private void stuckScrapes(int count, WebServer server) throws Exception {
    int before = counted.started.get();
    List<Socket> stuck = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket();
      clients.add(socket);
      stuck.add(socket);
      socket.setReceiveBufferSize(4096);
      socket.connect(server.addresses().get(0));
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    await().atMost(PATIENCE).until(() -> counted.started.get() == before + count);
    for (Socket socket : stuck) {
      // The response has begun: a server that stops before would not count it.
      assertThat(socket.getInputStream().read()).isEqualTo('H');
    }
  }
}
