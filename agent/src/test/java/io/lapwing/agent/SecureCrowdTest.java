package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.web.MadeHashes;
import io.lapwing.agent.web.Openssl;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Many open connections do not end an agent. With TLS, passwords and HTTP/2 each takes most memory;
 * the heap is the shipped one, and an OutOfMemoryError ends the process.
 */
@Tag("slow")
@Execution(CONCURRENT)
class SecureCrowdTest {

  private static final Duration LONG = Duration.ofMinutes(4);
  private static final int SCRAPERS = 200;
  private static final int HALF_OPEN = 300;
  private static final int GREEDY = 150;
  private static final int STREAMS = 16;
  private static final int STORM = 20_000;

  /** What lived after each collection of the whole heap, in MiB. */
  private static final Pattern LIVED = Pattern.compile("Pause Full .*->(\\d+)M");

  private final Path dir;
  private final String authorization;
  private SSLContext tls;
  private HttpClient client;

  SecureCrowdTest(@TempDir Path dir) throws Exception {
    this.dir = dir;
    this.authorization =
        "Basic "
            + Base64.getEncoder()
                .encodeToString("prometheus:secret".getBytes(StandardCharsets.UTF_8));
    Openssl.selfSigned(dir, "server", "rsa:2048", "IP:127.0.0.1");
    this.tls = SlowClients.believing(dir.resolve("server.crt"));
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LONG)
            .build();
  }

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(
        dir.resolve("web.yml"),
        "tls_server_config: {cert_file: server.crt, key_file: server.key}\n"
            + "basic_auth_users: {prometheus: "
            + MadeHashes.of("secret", "2y")
            + "}\n");
    Files.writeString(dir.resolve("lapwing.yml"), "log.level: info\n");
  }

  @Test
  void clientsThatDoNotReadTheirResponsesDoNotStopTheServer() throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path collections = dir.resolve("collections");
    try (AgentProcess agent =
        AgentProcess.startShipped(
            dir,
            List.of("-Xlog:gc:file=" + collections),
            faulty.arguments(
                "--web.config.file=" + dir.resolve("web.yml"),
                "--config.file=" + dir.resolve("lapwing.yml")))) {
      URI address = URI.create(agent.address());
      await().atMost(LONG).until(() -> gpusUp(address) == 8);

      scrapeTogether(address);
      assertThat(agent.isAlive()).isTrue();

      InetSocketAddress at = new InetSocketAddress(address.getHost(), address.getPort());
      try (SlowClients handshakes = new SlowClients(at, tls)) {
        for (int i = 0; i < HALF_OPEN; i++) {
          handshakes.beginHandshake();
        }
        await().atMost(LONG).until(() -> gpusUp(address) == 8);
      }
      for (String path : List.of("/metrics", "/api/v1/node", "/ui/uPlot.iife.min.js")) {
        try (SlowClients greedy = new SlowClients(at, tls)) {
          ask(greedy, path);
          agent.hangUp();
          await().atMost(LONG).until(() -> gpusUp(address) == 8);
        }
      }
      try (SlowClients greedy = new SlowClients(at, tls)) {
        ask(greedy, "/api/v1/live");
        faulty
            .kmsg()
            .append(
                IntStream.range(0, STORM)
                    .mapToObj(i -> FaultyAgent.xid(i % 8, 31, "pid=" + i % 90 + ", name=x, y"))
                    .toList());
        await()
            .atMost(LONG)
            .until(
                () ->
                    page(address)
                        .map(page -> FaultyAgent.sum(page, "lapwing_gpu_xid_errors_total"))
                        .equals(Optional.of((double) STORM)));
      }
      Figures.keep("secure-crowd", "most MiB of the heap that lived", lived(collections));
      assertThat(agent.err()).contains("configuration reloaded").doesNotContain("OutOfMemory");
      agent.terminate();
      assertThat(agent.exitCode()).isEqualTo(143);
    }
  }

  /** Who is one too many is sent away, some of them while they still ask. */
  private void ask(SlowClients greedy, String path) {
    int sentAway = 0;
    for (int i = 0; i < GREEDY; i++) {
      try {
        greedy.requestWithoutReading(path, STREAMS, Map.of("authorization", authorization));
      } catch (IOException refused) {
        sentAway++;
      }
    }
    assertThat(sentAway).as("clients that were sent away, for %s", path).isLessThan(GREEDY);
  }

  private void scrapeTogether(URI address) {
    for (int round = 0; round < 3; round++) {
      List<CompletableFuture<Integer>> answers =
          IntStream.range(0, SCRAPERS)
              .mapToObj(
                  i ->
                      client
                          .sendAsync(metrics(address), HttpResponse.BodyHandlers.discarding())
                          .handle((answer, refused) -> refused == null ? answer.statusCode() : 0))
              .toList();
      assertThat(answers.stream().map(CompletableFuture::join)).isSubsetOf(0, 200, 503);
    }
  }

  private HttpRequest metrics(URI address) {
    return HttpRequest.newBuilder(address.resolve("/metrics"))
        .header("Authorization", authorization)
        .timeout(LONG)
        .build();
  }

  private Optional<TextPage> page(URI address) throws InterruptedException {
    try {
      HttpResponse<String> answer =
          client.send(metrics(address), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200
          ? Optional.of(TextPage.parse(answer.body(), PageFormat.TEXT_0_0_4))
          : Optional.empty();
    } catch (IOException sentAway) {
      return Optional.empty();
    }
  }

  private double gpusUp(URI address) throws InterruptedException {
    return page(address).map(page -> FaultyAgent.sum(page, "lapwing_gpu_up")).orElse(0.0);
  }

  private static int lived(Path collections) throws IOException {
    return LIVED
        .matcher(Files.readString(collections))
        .results()
        .map((MatchResult found) -> Integer.parseInt(found.group(1)))
        .max(Integer::compare)
        .orElse(0);
  }
}
