package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebServerTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", 0);
  private static final Settings.Web SETTINGS =
      new Settings.Web(List.of(LOOPBACK), "/metrics", 40, true, Optional.empty());

  record Node(String name, Instant boot, Duration age, Optional<String> gpu) {}

  private final List<WebServer> running = new ArrayList<>();
  private final List<Socket> clients = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountedRequests counted = new CountedRequests();

  /** Constant, so that no response is displaced because this machine is slow. */
  private final AtomicLong now = new AtomicLong();

  private Timing timing = new Timing(now::get, Timing.USUAL.patience(), Timing.USUAL.deadline());
  private WebContent.Readiness readiness = new WebContent.Readiness.Ready();
  private WebContent.AgentInfo info = new WebContent.AgentInfo("1.2.3", "node-7", false);
  private Supplier<?> node =
      () ->
          new Node(
              "node-7",
              Instant.parse("2026-11-20T11:20:00Z"),
              Duration.ofMillis(1500),
              Optional.empty());

  @AfterEach
  void stopServers() {
    running.forEach(WebServer::close);
  }

  @AfterEach
  void closeClients() throws IOException {
    for (Socket socket : clients) {
      socket.close();
    }
  }

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

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void thePageIsPlainTextByDefault() throws Exception {
    HttpResponse<String> page = get(start(), "/metrics");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).isEqualTo("ecc_up 1\nxid_up 1\n");
    assertThat(header(page, "Content-Type")).isEqualTo(PageFormat.TEXT_0_0_4.contentType());
    assertThat(header(page, "Content-Length")).isEqualTo("18");
    assertThat(header(page, "Vary")).isEqualTo("Accept, Accept-Encoding");
    assertThat(header(page, "Content-Encoding")).isEmpty();
  }

  @Test
  void thePageIsOpenMetricsIfRequested() throws Exception {
    HttpResponse<String> page =
        get(
            start(),
            "/metrics",
            "Accept",
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
                + "application/openmetrics-text;version=0.0.1;q=0.4,"
                + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
                + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1");

    assertThat(header(page, "Content-Type")).isEqualTo(PageFormat.OPENMETRICS_1_0_0.contentType());
    assertThat(page.body()).endsWith("# EOF\n");
  }

  @Test
  void aPresetIsServedUnderItsNameAndOthersAreRefusedWithTheList() throws Exception {
    WebServer server = start();

    assertThat(get(server, "/metrics?preset=full").body())
        .isEqualTo("preset_full 1\necc_up 1\nxid_up 1\n");
    assertThat(get(server, "/metrics?preset=standard").body())
        .as("the configured one")
        .isEqualTo(get(server, "/metrics").body());
    assertThat(get(server, "/metrics?preset=minimal&collect%5B%5D=ecc").body())
        .isEqualTo("preset_minimal 1\necc_up 1\n");
    for (String wrong : List.of("FULL", "", "all", "%0a")) {
      HttpResponse<String> refused = get(server, "/metrics?preset=" + wrong);
      assertThat(refused.statusCode()).as(wrong).isEqualTo(400);
      assertThat(refused.body()).endsWith("presets: minimal, standard, full\n");
    }
    assertThat(get(server, "/metrics?preset=full&preset=full").statusCode()).isEqualTo(400);
  }

  @Test
  void thePageIsCompressedIfAccepted() throws Exception {
    HttpResponse<byte[]> page =
        client.send(
            request(start(), "/metrics", "Accept-Encoding", "gzip").build(),
            BodyHandlers.ofByteArray());

    assertThat(header(page, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(page, "Content-Length")).isEqualTo(String.valueOf(page.body().length));
    try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(page.body()))) {
      assertThat(unpacked.readAllBytes()).asString().isEqualTo("ecc_up 1\nxid_up 1\n");
    }
    assertThat(header(get(start(), "/metrics", "Accept-Encoding", "gzip;q=0"), "Content-Encoding"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/",
        "/-/healthy",
        "/-/ready",
        "/api/v1/node",
        "/api/v1/health",
        "/api/v1/events",
        "/api/v1/live",
        "/api/v1/actions",
        "/ui",
        "/ui/",
        "/ui/main.js",
        "/none"
      })
  void headAnswersWithTheHeadersOfGetAndNoBody(String path) throws Exception {
    WebServer server = start();
    HttpResponse<String> got = get(server, path);

    HttpResponse<String> head =
        client.send(
            request(server, path).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());

    assertThat(head.body()).isEmpty();
    assertThat(head.statusCode()).isEqualTo(got.statusCode());
    assertThat(header(head, "Content-Length")).isEqualTo(header(got, "Content-Length"));
    assertThat(header(head, "Content-Type")).isEqualTo(header(got, "Content-Type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?collect[]=xid                        | xid_up 1",
        "?collect%5B%5D=xid                    | xid_up 1",
        "?exclude[]=xid                        | ecc_up 1",
        "?exclude[]=xid&exclude[]=ecc          | ",
        "?other=xid&collect[]=ecc              | ecc_up 1",
      })
  void theUrlSelectsCollectors(String query, String page) throws Exception {
    assertThat(raw(start(), "GET /metrics" + query + " HTTP/1.1"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("\r\n\r\n" + (page == null ? "" : page + "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%6detrics", "/metrics;x", "/./metrics", "/x/../metrics", "/METRICS"})
  void anotherSpellingOfTheMetricsPathIsNotFound(String path) throws Exception {
    assertThat(status(start(), path)).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%zz", "%ff", "%c3", "%", "%u0041"})
  void aMalformedEscapeIsAnUnknownValue(String escape) throws Exception {
    WebServer server = start();

    assertThat(status(server, "/metrics?preset=" + escape)).isEqualTo(400);
    assertThat(status(server, "/metrics?" + escape + "=1")).isEqualTo(200);
  }

  /** The JDK's client refuses to send these. */
  private static int status(WebServer server, String target) throws Exception {
    try (Socket socket = connect(server)) {
      String request =
          "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(response.split(" ", 3)[1]);
    }
  }

  @Test
  void bothFiltersTogetherAreRefused() throws Exception {
    assertThat(raw(start(), "GET /metrics?collect[]=xid&exclude[]=ecc HTTP/1.1"))
        .startsWith("HTTP/1.1 400 ")
        .endsWith("collect[] and exclude[] are mutually exclusive\n");
  }

  @Test
  void anUnknownCollectorIsNamed() throws Exception {
    assertThat(raw(start(), "GET /metrics?collect[]=xdi HTTP/1.1"))
        .startsWith("HTTP/1.1 400 ")
        .endsWith("unknown collector 'xdi'; enabled collectors: ecc, xid\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"})
  void otherMethodsAreRefused(String method) throws Exception {
    assertThat(raw(start(), method + " /metrics HTTP/1.1"))
        .startsWith("HTTP/1.1 405 ")
        .contains("Allow: GET, HEAD\r\n")
        .endsWith("the supported methods are GET, HEAD\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/none", "/metrics/x", "/-/", "/favicon.ico"})
  void anUnknownPathIsNotFound(String path) throws Exception {
    assertThat(get(start(), path).statusCode()).isEqualTo(404);
  }

  @Test
  void thePageMayBeAtTheRoot() throws Exception {
    WebServer server = start(new Settings.Web(List.of(LOOPBACK), "/", 40, true, Optional.empty()));

    assertThat(get(server, "/").body()).startsWith("ecc_up 1\n");
  }

  @Test
  void theLandingPageHasVersionHostAndLinks() throws Exception {
    info = new WebContent.AgentInfo("1.2.3", "<node>", false);

    HttpResponse<String> page = get(start(), "/");

    assertThat(header(page, "Content-Type")).startsWith("text/html");
    assertThat(page.body())
        .contains("Lapwing", "Version 1.2.3 on &lt;node&gt;", "href=\"metrics\"")
        .doesNotContain("SIMULATED", "<script");
  }

  @Test
  void aBrowserIsSentToTheWebUi() throws Exception {
    WebServer server = start();
    String browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    HttpResponse<String> sent = get(server, "/", "Accept", browser);
    assertThat(sent.statusCode()).isEqualTo(302);
    assertThat(header(sent, "Location")).as("also behind a path prefix").isEqualTo("ui");
    assertThat(header(sent, "Cache-Control")).isEqualTo("no-store");
    assertThat(get(server, "/?plain", "Accept", browser).body()).contains("Version 1.2.3");
    assertThat(get(server, "/", "Accept", "*/*").body()).contains("Version 1.2.3");
  }

  @Test
  void theLandingPageOfASimulatedNodeHasABanner() throws Exception {
    info = new WebContent.AgentInfo("1.2.3", "node-7", true);

    assertThat(get(start(), "/").body()).contains("SIMULATED NODE");
  }

  @Test
  void notReadyHasAReason() throws Exception {
    WebServer server = start();
    assertThat(get(server, "/-/ready").statusCode()).isEqualTo(200);

    readiness = new WebContent.Readiness.NotReady("no GPU has answered yet");
    HttpResponse<String> ready = get(server, "/-/ready");

    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).isEqualTo("not ready: no GPU has answered yet\n");
    assertThat(get(server, "/health").statusCode()).isEqualTo(200);
    assertThat(get(server, "/health").body()).isEqualTo("OK\n");
    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void theNodeIsJson() throws Exception {
    HttpResponse<String> answer = get(start(), "/api/v1/node");

    assertThat(header(answer, "Content-Type")).isEqualTo("application/json");
    assertThat(answer.body())
        .isEqualTo(
            """
            {
              "name" : "node-7",
              "boot" : "2026-11-20T11:20:00Z",
              "age" : 1.5,
              "gpu" : null
            }
            """);
  }

  @Test
  void aFailureHasNoDetails() throws Exception {
    node =
        () -> {
          throw new IllegalStateException("secret");
        };

    HttpResponse<String> answer = get(start(), "/api/v1/node");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body())
        .isEqualTo("internal error; see the server's log\n")
        .doesNotContain("secret", "Exception", "\tat ");
  }

  @Test
  void noResponseNamesTheServerOrSetsACookie() throws Exception {
    HttpResponse<String> page = get(start(), "/metrics");

    assertThat(page.headers().map().keySet())
        .map(name -> name.toLowerCase(Locale.ROOT))
        .containsExactlyInAnyOrder(
            "content-length", "content-type", "date", "vary", "x-content-type-options");
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
  void aBrowserUnderAStrangersNameGetsNothing() throws Exception {
    WebServer server = start();
    for (String path : List.of("/", "/ui", "/ui/app.js", "/api/v1/health", "/api/v1/node")) {
      assertThat(hosted(server, path, "rebound.attacker.example:9754")).startsWith("HTTP/1.1 421 ");
      assertThat(hosted(server, path, "node-7:9754")).doesNotStartWith("HTTP/1.1 421 ");
    }

    // Prometheus asks by whatever name its targets have.
    assertThat(hosted(server, "/metrics", "node7.example.com")).startsWith("HTTP/1.1 200 ");
    assertThat(hosted(server, "/metrics", "node7.example.com\r\nAccept-Language: en"))
        .startsWith("HTTP/1.1 421 ");
    assertThat(hosted(server, "/metrics", "node7.example.com\r\nUser-Agent: Mozilla/5.0 (X11)"))
        .startsWith("HTTP/1.1 421 ");
    assertThat(hosted(server, "/-/healthy", "node7.example.com")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void withAllowedHostsEveryPathIsForThem() throws Exception {
    WebServer server =
        start(
            new Settings.Web(
                List.of(LOOPBACK),
                "/metrics",
                40,
                true,
                Optional.empty(),
                false,
                Optional.empty(),
                new Settings.Guard(
                    Settings.Privacy.OPEN, Optional.empty(), List.of("*.example.com"))));

    assertThat(hosted(server, "/metrics", "node7.example.com")).startsWith("HTTP/1.1 200 ");
    assertThat(hosted(server, "/api/v1/health", "a.example.com")).startsWith("HTTP/1.1 200 ");
    assertThat(hosted(server, "/metrics", "node7.example.org")).startsWith("HTTP/1.1 421 ");
    assertThat(hosted(server, "/-/healthy", "node7.example.org")).startsWith("HTTP/1.1 200 ");
  }

  private static String hosted(WebServer server, String path, String host) throws Exception {
    try (Socket socket = connect(server)) {
      String request =
          "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void jsonIsNotStored() throws Exception {
    WebServer server = start();

    for (String path :
        List.of(
            "/api/v1/health",
            "/api/v1/node",
            "/api/v1/events",
            "/api/v1/live",
            "/api/v1/actions")) {
      assertThat(header(get(server, path), "Cache-Control")).isEqualTo("no-store");
    }
  }

  @Test
  void htmlPagesForbidScriptsAndFraming() throws Exception {
    WebServer server = start();
    HttpResponse<String> page = get(server, "/");

    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "frame-ancestors 'none'");
    assertThat(header(page, "X-Frame-Options")).isEqualTo("deny");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(header(get(server, "/metrics"), "Content-Security-Policy")).isEmpty();
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

  @Test
  void allAddressesAreBound() throws Exception {
    WebServer server =
        start(
            new Settings.Web(List.of(LOOPBACK, LOOPBACK), "/metrics", 40, true, Optional.empty()));

    assertThat(server.addresses()).hasSize(2).doesNotHaveDuplicates();
    for (InetSocketAddress address : server.addresses()) {
      assertThat(get(address, "/-/healthy").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anAddressMayBeIpv6() throws Exception {
    assumeTrue(hasIpv6(), "this machine has no IPv6");

    WebServer server =
        start(
            new Settings.Web(
                List.of(new ListenAddress("::1", 0)), "/metrics", 40, true, Optional.empty()));

    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void withoutASocketOfSystemdItDoesNotStart() {
    Settings.Web settings =
        new Settings.Web(
            List.of(LOOPBACK),
            "/metrics",
            40,
            true,
            Optional.empty(),
            true,
            Optional.empty(),
            Settings.Guard.OPEN);

    assertThatThrownBy(() -> start(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("systemd passed no listening TCP socket");
  }

  @Test
  void aSlashAfterTheMetricsPathIsTheSamePage() throws Exception {
    WebServer server =
        start(new Settings.Web(List.of(LOOPBACK), "/metrics", 40, true, Optional.empty()));

    assertThat(get(server, "/metrics/").body()).isEqualTo(get(server, "/metrics").body());
  }

  @Test
  void addressesHaveUrls() throws Exception {
    WebServer server =
        start(
            new Settings.Web(
                List.of(LOOPBACK, new ListenAddress("", 0)),
                "/metrics",
                40,
                true,
                Optional.empty()));

    assertThat(server.urls())
        .containsExactly(
            "http://127.0.0.1:" + server.addresses().get(0).getPort(),
            "http://localhost:" + server.addresses().get(1).getPort());
  }

  @Test
  void anEmptyHostIsEveryAddress() throws Exception {
    WebServer server =
        start(
            new Settings.Web(
                List.of(new ListenAddress("", 0)), "/metrics", 40, true, Optional.empty()));
    int port = server.addresses().get(0).getPort();

    assertThat(
            get(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "/-/healthy")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aPortInUseIsReportedAndNothingStaysOpen() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(
              () ->
                  start(
                      new Settings.Web(
                          List.of(LOOPBACK, address), "/metrics", 40, true, Optional.empty())))
          .isInstanceOf(ListenException.class)
          .hasMessage(
              "web.listen-address: cannot listen on " + address + ": Address already in use");
    }
  }

  @Test
  void anAddressOfAnotherHostIsReported() {
    assertThatThrownBy(
            () ->
                start(
                    new Settings.Web(
                        List.of(new ListenAddress("192.0.2.1", 0)),
                        "/metrics",
                        40,
                        true,
                        Optional.empty())))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith("web.listen-address: cannot listen on 192.0.2.1:0: ");
  }

  @Test
  void requestsAreCountedByRouteAndStatus() throws Exception {
    WebServer server = start();
    get(server, "/metrics");
    get(server, "/metrics?collect%5B%5D=nonsense");
    get(server, "/any/thing");
    get(server, "/-/ready");

    await().atMost(PATIENCE).until(() -> counted.answered.size() == 4);
    assertThat(counted.answered)
        .containsExactlyInAnyOrder("metrics 200", "metrics 400", "other 404", "ready 200");
  }

  @Test
  void aConnectionServesManyRequests() throws Exception {
    WebServer server = start();
    try (Socket socket = connect(server)) {
      for (int i = 0; i < 3; i++) {
        socket
            .getOutputStream()
            .write(
                "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(readUntil(socket.getInputStream(), "\r\n\r\nhealthy\n")).contains(" 200 OK");
      }
    }
  }

  private WebServer start() throws Exception {
    return start(SETTINGS);
  }

  private WebServer start(Settings.Web settings) throws Exception {
    return start(settings, new FixedExposition("ecc", "xid"));
  }

  private WebServer start(Settings.Web settings, FixedExposition exposition) throws Exception {
    WebServer server =
        AgentServer.start(
            settings,
            new WebContent(
                exposition,
                () -> info,
                () -> readiness,
                () -> node.get(),
                MadeReports::healthy,
                List::of,
                () -> MadeLive.EMPTY,
                InstantSource.system()),
            counted,
            List.of(),
            timing);
    running.add(server);
    return server;
  }

  private HttpResponse<String> get(WebServer server, String path, String... headers)
      throws Exception {
    return client.send(request(server, path, headers).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    return client.send(request(address, path).build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(WebServer server, String path, String... headers) {
    return request(server.addresses().get(0), path, headers);
  }

  private static HttpRequest.Builder request(
      InetSocketAddress address, String path, String... headers) {
    String host = address.getHostString();
    URI uri =
        URI.create(
            "http://"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + address.getPort()
                + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Sends a raw request. */
  private static String raw(WebServer server, String head) throws Exception {
    try (Socket socket = connect(server)) {
      socket
          .getOutputStream()
          .write(
              (head + "\r\nHost: x\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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

  private static Socket connect(WebServer server) throws Exception {
    InetSocketAddress address = server.addresses().get(0);
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(180_000);
    return socket;
  }

  private static String readUntil(InputStream in, String end) throws Exception {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith(end)) {
      int c = in.read();
      assertThat(c).as("after %s", text).isNotNegative();
      text.append((char) c);
    }
    return text.toString();
  }

  private static boolean hasIpv6() {
    byte[] loopback = new byte[16];
    loopback[15] = 1;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
