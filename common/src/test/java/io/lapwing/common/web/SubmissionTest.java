package io.lapwing.common.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpRequest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionTest {
  private static final int MOST = 100;

  @TempDir private Path dir;

  private WebServer serve(Optional<Path> config) throws Exception {
    return WebServer.start(
        new WebSettings(
            List.of(new ListenAddress("127.0.0.1", 0)),
            false,
            Optional.of(socket()),
            true,
            config,
            0,
            KnownHosts.of(List.of(), "")),
        routes -> {
          routes.get("/page", "page", query -> Answer.text(200, "a page"));
          routes.post("/change", "change", MOST, SubmissionTest::echo);
          routes.postSigned("/signed", "signed", MOST, SubmissionTest::echo);
        },
        RequestMeter.NONE,
        List.of(),
        Timing.USUAL);
  }

  private static Answer echo(Submission sent) {
    return Answer.text(
        200,
        sent.user() + "|" + sent.headers().get("x-kind") + "|" + new String(sent.body(), UTF_8));
  }

  private Path socket() {
    return dir.resolve("test.sock");
  }

  private Path users() throws Exception {
    byte[] hash = BCrypt.with(BCrypt.Version.VERSION_2Y).hash(4, "secret".getBytes(UTF_8));
    return Files.writeString(
        dir.resolve("web.yml"), "basic_auth_users: {ada: '" + new String(hash, UTF_8) + "'}\n");
  }

  private static HttpRequest post(WebServer server, String path, String body) {
    return HttpRequest.post(URI.create(server.urls().get(0) + path), body).with("X-Kind", "test");
  }

  private static HttpRequest as(String user, HttpRequest request) {
    String pair = Base64.getEncoder().encodeToString((user + ":secret").getBytes(UTF_8));
    return request.with("Authorization", "Basic " + pair);
  }

  private static String answer(HttpRequest request) throws Exception {
    return HttpClient.of(Duration.ofSeconds(10), Duration.ofSeconds(30))
        .send(
            request,
            (head, body) -> head.status() + " " + new String(HttpClient.whole(body, 10_000), UTF_8))
        .strip();
  }

  @Test
  void withoutUsersNobodyChangesAnythingOverTcp() throws Exception {
    try (WebServer server = serve(Optional.empty())) {
      assertThat(answer(post(server, "/change", "{}"))).startsWith("403 only for authenticated");
      assertThat(answer(as("ada", post(server, "/change", "{}")))).startsWith("403 ");
      assertThat(answer(post(server, "/page", "{}"))).startsWith("405 ");
      assertThat(answer(HttpRequest.get(URI.create(server.urls().get(0) + "/page"))))
          .isEqualTo("200 a page");
    }
  }

  @Test
  void aUserWithAPasswordDoesAndIsNamed() throws Exception {
    try (WebServer server = serve(Optional.of(users()))) {
      assertThat(answer(as("ada", post(server, "/change", "{\"a\": 1}"))))
          .isEqualTo("200 ada|test|{\"a\": 1}");
      // The second time the password is in the cache.
      assertThat(answer(as("ada", post(server, "/change", "{}")))).startsWith("200 ada|");
      assertThat(answer(as("eve", post(server, "/change", "{}")))).startsWith("401 ");
      assertThat(answer(post(server, "/change", "{}"))).startsWith("401 ");
    }
  }

  @Test
  void overAClosedUnixSocketTheKernelNamesTheUser() throws Exception {
    try (WebServer server = serve(Optional.empty())) {
      assertThat(answer(post(server, "/change", "{}").over(socket())))
          .isEqualTo("200 " + System.getProperty("user.name") + "|test|{}");
      assertThat(Files.getPosixFilePermissions(socket()).toString()).doesNotContain("OTHERS");
    }
  }

  @Test
  void onlyJsonOfABoundedSizeIsTaken() throws Exception {
    try (WebServer server = serve(Optional.of(users()))) {
      HttpRequest text =
          as("ada", post(server, "/change", "{}")).with("Content-Type", "text/plain");
      assertThat(answer(text)).startsWith("415 ");
      assertThat(answer(as("ada", post(server, "/change", "x".repeat(MOST))))).startsWith("200 ");
      assertThat(answer(as("ada", post(server, "/change", "x".repeat(MOST + 1)))))
          .isEqualTo("413 more than 100 bytes");
    }
  }

  @Test
  void aSignedMessageNeedsNoUserWhereTheServerHasNone() throws Exception {
    try (WebServer server = serve(Optional.empty())) {
      HttpRequest signed = post(server, "/signed", "signed").with("Content-Type", "text/plain");
      assertThat(answer(signed)).isEqualTo("200 |test|signed");
    }
  }
}
