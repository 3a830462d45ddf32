package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.common.web.WebServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for the metrics: formats, presets, collectors. */
class MetricsRequestTest extends WebServerFixture {

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

  @Test
  void thePageMayBeAtTheRoot() throws Exception {
    WebServer server = start(new Settings.Web(List.of(LOOPBACK), "/", 40, true, Optional.empty()));

    assertThat(get(server, "/").body()).startsWith("ecc_up 1\n");
  }

  @Test
  void aSlashAfterTheMetricsPathIsTheSamePage() throws Exception {
    WebServer server =
        start(new Settings.Web(List.of(LOOPBACK), "/metrics", 40, true, Optional.empty()));

    assertThat(get(server, "/metrics/").body()).isEqualTo(get(server, "/metrics").body());
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
}
