package io.lapwing.drain.intake.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server of the JDK on the loopback address, for which every node name stands. */
class HttpHealthReaderTest {

  private static final NodeName NODE = new NodeName("localhost");

  @TempDir private Path dir;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> authorizations = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
  private byte[] body = HealthDocumentTest.recorded().getBytes(UTF_8);
  private Authorization authorization = Authorization.NONE;
  private String instanceId = "";

  @BeforeEach
  void anAgent() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/health",
        exchange -> {
          String header = exchange.getRequestHeaders().getFirst("Authorization");
          authorizations.add(header == null ? "" : header);
          exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void ended() {
    server.stop(0);
    threads.shutdownNow();
  }

  private HttpHealthReader reader(int port, Duration deadline) {
    return new HttpHealthReader(
        new AgentPages(
            "http://{node}:" + port,
            new JdkHttpGet(Optional.empty(), deadline, 100_000, threads),
            authorization),
        node -> instanceId);
  }

  private Answer ask(NodeName node) {
    HttpHealthReader reader = reader(server.getAddress().getPort(), Duration.ofSeconds(30));
    return reader.ask(node);
  }

  private String silence(NodeName node) {
    Answer answer = ask(node);
    assertThat(answer).isInstanceOf(Silent.class);
    return ((Silent) answer).why();
  }

  @Test
  void anAgentAnswers() {
    Answer answer = ask(NODE);

    assertThat(answer).isInstanceOf(Answered.class);
    assertThat(((Answered) answer).health().action()).isEqualTo(Remedy.REPLACE_NODE);
    assertThat(authorizations).containsExactly("");
  }

  @Test
  void theAnswerOfAnotherNodeIsNone() {
    assertThat(silence(new NodeName("127.0.0.1")))
        .contains("the answer is of another node: localhost i-0123456789abcdef0");

    instanceId = "i-0123456789abcdef0";
    assertThat(ask(new NodeName("127.0.0.1"))).isInstanceOf(Answered.class);
  }

  @Test
  void anAgentThatHasNotEvaluatedItsNodeIsSilent() {
    String unnamed =
        HealthDocumentTest.recorded()
            .replace("\"hostname\":\"localhost\"", "\"hostname\":\"\"")
            .replace("\"instance_id\":\"i-0123456789abcdef0\"", "\"instance_id\":\"\"");
    body = unnamed.getBytes(UTF_8);

    assertThat(silence(NODE)).contains("does not know its node yet");
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 401, 404, 500})
  void anotherStatusIsNoVerdictAndARedirectIsNotFollowed(int code) {
    status = code;

    assertThat(silence(NODE)).contains("/api/v1/health: status " + code);
  }

  @Test
  void aLongAnswerIsNotRead() {
    body = " ".repeat(1_000_000).getBytes(UTF_8);

    assertThat(silence(NODE)).contains("more than 100000 bytes");
  }

  @Test
  void anAnswerThatIsNoHealthIsNone() {
    body = "<html>".getBytes(UTF_8);

    assertThat(silence(NODE)).contains("health: not");
  }

  @Test
  void anAgentThatIsGoneIsSilent() {
    server.stop(0);

    assertThat(ask(NODE)).isInstanceOf(Silent.class);
  }

  @Test
  void aServerThatSendsByteByByteIsLeftAtTheDeadline() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Future<?> dripping = threads.submit(() -> drip(listening));
      HttpHealthReader reader = reader(listening.getLocalPort(), Duration.ofMillis(500));

      Answer answer = reader.ask(NODE);
      assertThat(answer).isInstanceOf(Silent.class);
      assertThat(((Silent) answer).why()).contains("no answer within 500 ms");
      dripping.cancel(true);
    }
  }

  private static @Nullable Void drip(ServerSocket listening)
      throws IOException, InterruptedException {
    try (Socket socket = listening.accept()) {
      socket
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n".getBytes(UTF_8));
      for (int i = 0; i < 90_000; i++) {
        socket.getOutputStream().write(' ');
        socket.getOutputStream().flush();
        Thread.sleep(50);
      }
    }
    return null;
  }

  @Test
  void aTokenOrAPasswordComesFromAFileAndMayChange() throws IOException {
    Path file = Files.writeString(dir.resolve("secret"), "first\n");
    authorization = Authorization.bearer(file);
    ask(NODE);
    Files.writeString(file, "second\n");
    ask(NODE);
    authorization = Authorization.basic(Files.writeString(file, "ada:pässword\n"));
    ask(NODE);

    assertThat(authorizations)
        .containsExactly("Bearer first", "Bearer second", "Basic YWRhOnDDpHNzd29yZA==");
  }

  @Test
  void aBadSecretNamesItsFile() throws IOException {
    Path file = Files.writeString(dir.resolve("secret"), "no password");
    authorization = Authorization.basic(file);
    assertThat(silence(NODE)).contains(file + ": not user:password");

    authorization = Authorization.bearer(Files.writeString(file, "a\r\nX-Other: b"));
    assertThat(silence(NODE)).contains(file + ": not one line");

    authorization = Authorization.bearer(dir.resolve("none"));
    assertThat(silence(NODE)).contains("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://{node}:9754", "http://node:9754", "{node}:9754", "/{node}"})
  void anAddressThatIsNoneIsRefused(String address) {
    assertThatThrownBy(() -> new AgentPages(address, (uri, header) -> body, authorization))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
