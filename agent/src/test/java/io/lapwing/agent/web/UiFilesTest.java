package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.WebServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the web UI, as served. */
class UiFilesTest {

  private static final Pattern LINK = Pattern.compile("(?:src|href)=\"ui/([^\"]+)\"");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*from \"\\./([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final WebServer server;

  UiFilesTest() throws Exception {
    this.server =
        AgentServer.start(
            new Settings.Web(
                List.of(new ListenAddress("127.0.0.1", 0)), "/metrics", 40, true, Optional.empty()),
            new WebContent(
                new FixedExposition("ecc"),
                () -> new WebContent.AgentInfo("1.2.3", "node-7", false),
                WebContent.Readiness.Ready::new,
                () -> "node",
                MadeReports::healthy,
                List::of,
                () -> MadeLive.EMPTY,
                InstantSource.system()),
            new CountedRequests());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.urls().get(0) + path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    return client.send(request(path, headers).build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void theIndexAllowsOwnResourcesOnly() throws Exception {
    HttpResponse<String> page = get("/ui");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualToIgnoringCase("text/html;charset=utf-8");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.body()).contains("<noscript>").contains("href=\"./?plain\"");
  }

  /** Browsers refuse scripts with another content type. */
  @Test
  void everyFileHasItsContentType() throws Exception {
    for (String file : UiFile.PARTS) {
      HttpResponse<String> part = get("/ui/" + file);
      assertThat(part.statusCode()).as(file).isEqualTo(200);
      assertThat(header(part, "Content-Type"))
          .as(file)
          .startsWith(
              file.endsWith(".js")
                  ? "text/javascript"
                  : file.endsWith(".css") ? "text/css" : "image/svg+xml");
    }
  }

  /** As text: a browser shows it, and runs nothing in it. */
  @Test
  void theRunbookOfEveryRuleIsServed() throws Exception {
    for (String runbook : Runbooks.shipped().names()) {
      HttpResponse<String> page = get("/ui/runbooks/" + runbook + ".md");
      assertThat(page.statusCode()).as(runbook).isEqualTo(200);
      assertThat(header(page, "Content-Type")).isEqualToIgnoringCase("text/plain;charset=utf-8");
      assertThat(page.body()).startsWith("# " + runbook + "\n");
    }
    assertThat(get("/ui/runbooks/..%2findex.html.md").statusCode()).isNotEqualTo(200);
  }

  @Test
  void exactlyTheReferencedFilesAreServed() throws Exception {
    TreeSet<String> requested = new TreeSet<>(found(LINK, get("/ui").body()));
    for (String file : List.copyOf(UiFile.PARTS)) {
      if (file.endsWith(".js") && !file.startsWith("uPlot")) {
        requested.addAll(found(IMPORT, get("/ui/" + file).body()));
      }
    }

    assertThat(requested).containsExactlyInAnyOrderElementsOf(UiFile.PARTS);
  }

  /** Files are of fixed lists, whatever else is in the jar. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/none.js",
        "/ui/index.html",
        "/ui/UiFile.class",
        "/ui/..%2fUiFile.class",
        "/ui/runbooks/none.md",
        "/ui/runbooks/index.html",
        "/ui/runbooks/"
      })
  void noOtherFileIsServed(String path) throws Exception {
    HttpResponse<String> page = get(path);

    assertThat(page.statusCode()).isIn(400, 404);
    assertThat(header(page, "Content-Type")).startsWith("text/plain");
  }

  private static List<String> found(Pattern pattern, String text) {
    List<String> all = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      all.add(matcher.group(1));
    }
    return all;
  }

  @Test
  void noOwnFileReferencesAnotherHostOrWritesMarkup() throws Exception {
    for (String file : UiFile.PARTS) {
      if (!file.startsWith("uPlot")) {
        assertThat(get("/ui/" + file).body().replace("http://www.w3.org/2000/svg", ""))
            .as(file)
            .doesNotContain("http://", "https://", "innerHTML", "insertAdjacentHTML", "eval(");
      }
    }
  }

  @Test
  void anUnchangedFileIsNotSentAgain() throws Exception {
    String tag = header(get("/ui/main.js"), "ETag");
    HttpResponse<String> again = get("/ui/main.js", "If-None-Match", "W/\"other\", " + tag);

    assertThat(tag).startsWith("W/\"");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "ETag")).isEqualTo(tag);
    assertThat(header(again, "Cache-Control")).isEqualTo("no-cache");
    assertThat(get("/ui/main.js", "If-None-Match", "W/\"other\"").statusCode()).isEqualTo(200);
    assertThat(header(get("/ui/style.css"), "ETag")).isNotEqualTo(tag);
  }

  @Test
  void filesAreCompressedIfAccepted() throws Exception {
    HttpResponse<byte[]> packed =
        client.send(
            request("/ui/uPlot.iife.min.js", "Accept-Encoding", "gzip").build(),
            BodyHandlers.ofByteArray());
    String plain = get("/ui/uPlot.iife.min.js").body();

    assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(packed, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(packed.body().length).isLessThan(plain.length() / 2);
    try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(unpacked.readAllBytes()).asString().isEqualTo(plain);
    }
  }

  @Test
  void aTrailingSlashRedirects() throws Exception {
    HttpResponse<String> moved = get("/ui/");

    assertThat(moved.statusCode()).isEqualTo(308);
    assertThat(URI.create("http://proxy/node-7/ui/").resolve(header(moved, "Location")))
        .hasToString("http://proxy/node-7/ui");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/none.js",
        "/ui/index.html",
        "/ui/uPlot.LICENSE.txt",
        "/ui/../UiFile.class",
        "/ui/..%2fUiFile.class",
        "/ui/%2e%2e/UiFile.class",
        "/ui/%2e%2e/%2e%2e/build.properties",
        "/ui/..\\UiFile.class",
        "/ui//etc/passwd",
        "/ui/main.js/",
        "/ui/main.js%00.css"
      })
  void noPathReachesOtherFiles(String path) throws Exception {
    // Raw, because a client would normalize the path.
    InetSocketAddress address = server.addresses().get(0);
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).matches("(?s)HTTP/1.1 4\\d\\d .*").doesNotContain("CAFEBABE", "revision=");
    }
  }

  @Test
  void theLandingPageLinksToTheUi() throws Exception {
    assertThat(get("/").body()).contains("<a href=\"ui\">/ui</a>");
  }
}
