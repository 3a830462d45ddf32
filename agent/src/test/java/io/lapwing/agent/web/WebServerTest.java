package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.Settings;
import io.lapwing.common.web.WebServer;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All paths but that of the metrics, and what is common to them. */
class WebServerTest extends WebServerFixture {

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

  private static String hosted(WebServer server, String path, String host) throws Exception {
    try (Socket socket = connect(server)) {
      String request =
          "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
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
}
