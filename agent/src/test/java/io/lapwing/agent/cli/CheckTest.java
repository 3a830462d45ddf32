package io.lapwing.agent.cli;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.web.AgentServer;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.agent.web.MadeLive;
import io.lapwing.agent.web.WebContent;
import io.lapwing.agent.web.WebContent.AgentInfo;
import io.lapwing.agent.web.WebContent.Readiness;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.RequestMeter;
import io.lapwing.common.web.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which agent a check queries, and its result. */
class CheckTest {

  /** Short, so that tests of hung servers are quick; others respond within a few seconds. */
  private static final AgentClient SHORT =
      new AgentClient(Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofSeconds(20));

  private static final AgentClient PATIENT =
      new AgentClient(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30));

  private CheckResult check(AgentClient client, int port) throws Exception {
    return check(client, Optional.of(at(port)));
  }

  private CheckResult check(AgentClient client, Optional<AgentAddress> address) throws Exception {
    return new Check(client).run(address);
  }

  private static AgentAddress at(int port) {
    return AgentAddress.of(List.of(new ListenAddress("127.0.0.1", port)), false).orElseThrow();
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static int deadPort() throws IOException {
    try (ServerSocket closed = listen()) {
      return closed.getLocalPort();
    }
  }

  /** Sends this text on each connection and then holds it open. */
  private static ServerSocket answering(String words, Duration thenHold) throws IOException {
    return answering(() -> words, thenHold);
  }

  private static ServerSocket answering(Supplier<String> words, Duration thenHold)
      throws IOException {
    ServerSocket server = listen();
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  client.setSoTimeout(180_000);
                  while (client.getInputStream().read() != '\n') {
                    // The first line of the request is enough.
                  }
                  client.getOutputStream().write(words.get().getBytes(StandardCharsets.UTF_8));
                  client.getOutputStream().flush();
                  Thread.sleep(thenHold.toMillis());
                } catch (IOException e) {
                  // The client disconnected, or the test has ended.
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            },
            "test-server");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static String http(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static WebServer agent(HealthReport report) throws Exception {
    return agent(report, Optional.empty(), Optional.empty());
  }

  private static WebServer agent(
      HealthReport report, Optional<Path> webConfig, Optional<Path> socket) throws Exception {
    return agent(report, List.of(new ListenAddress("127.0.0.1", 0)), webConfig, socket);
  }

  private static WebServer agent(
      HealthReport report,
      List<ListenAddress> addresses,
      Optional<Path> webConfig,
      Optional<Path> socket)
      throws Exception {
    return AgentServer.start(
        new Settings.Web(
            addresses, "/metrics", 40, true, webConfig, false, socket, Settings.Guard.OPEN),
        new WebContent(
            new NoPage(),
            () -> new AgentInfo("1.2.3", "node-7", false),
            Readiness.Ready::new,
            () -> "",
            () -> report,
            List::of,
            () -> MadeLive.EMPTY,
            InstantSource.system()),
        new NoMeter());
  }

  @Test
  void theRunningAgentIsQueried() throws Exception {
    HealthReport fresh = MadeReports.judged(Instant.now());
    try (WebServer agent = agent(fresh)) {
      int port = agent.addresses().get(0).getPort();

      CheckResult result = check(PATIENT, port);

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.problem()).isEmpty();
      assertThat(result.note()).isEmpty();
      assertThat(result.by()).isEqualTo("the agent at http://127.0.0.1:" + port);
      assertThat(result.report().findings()).hasSize(3);
      assertThat(result.json())
          .isEqualTo(new String(HealthJson.write(fresh), StandardCharsets.UTF_8));
    }
  }

  @Test
  void theAgentIsQueriedOverItsUnixSocketFirst(@TempDir Path dir) throws Exception {
    Path socket = dir.toRealPath().resolve("agent.sock");
    try (WebServer agent =
        agent(MadeReports.judged(Instant.now()), Optional.empty(), Optional.of(socket))) {
      assertThat(agent.urls()).hasSize(1);

      CheckResult result =
          new Check(PATIENT).run(AgentAddress.of(socket), Optional.of(at(deadPort())));

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.by()).isEqualTo("the agent at unix:" + socket);
      assertThat(Files.getPosixFilePermissions(socket)).contains(OTHERS_WRITE);
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void aListenAddressMayBeAUnixSocketBesideThatOfTheCommands(@TempDir Path dir) throws Exception {
    Path own = dir.resolve("agent.sock");
    Path more = dir.resolve("metrics.sock");
    try (WebServer agent =
        agent(
            MadeReports.judged(Instant.now()),
            List.of(new ListenAddress("127.0.0.1", 0), ListenAddress.of(more)),
            Optional.empty(),
            Optional.of(own))) {
      Check check = new Check(PATIENT);

      assertThat(check.run(Optional.of(AgentAddress.parse("unix:" + more))).exitCode())
          .isEqualTo(2);
      assertThat(check.run(Optional.of(AgentAddress.of(own))).exitCode()).isEqualTo(2);
      assertThat(check(PATIENT, agent.addresses().get(0).getPort()).exitCode()).isEqualTo(2);
    }
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aListenAddressThatCannotBeBoundStopsTheStart(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("precious"), "text");
    Path first = dir.resolve("first.sock");

    assertThatThrownBy(
            () ->
                agent(
                    MadeReports.healthy(),
                    List.of(
                        new ListenAddress("127.0.0.1", 0),
                        ListenAddress.of(first),
                        ListenAddress.of(file)),
                    Optional.empty(),
                    Optional.empty()))
        .isInstanceOf(WebServer.ListenException.class)
        .hasMessage(
            "web.listen-address: cannot listen on unix:"
                + file
                + ": "
                + file
                + " exists and is not a socket");
    assertThat(file).hasContent("text");
    assertThat(first).doesNotExist();
  }

  @Test
  void theUnixSocketNeedsNoPasswordButItsGroup(@TempDir Path dir) throws Exception {
    Path socket = dir.toRealPath().resolve("agent.sock");
    Path config =
        Files.writeString(
            dir.resolve("web.yml"),
            "basic_auth_users: {prometheus: "
                + "$2y$04$3LZ9xQYB5mCkLzJ1VfwPL.2Gm4Q1BXz3oZk6cYrDTdoEf1gfgC6mO}\n");
    try (WebServer agent =
        agent(MadeReports.judged(Instant.now()), Optional.of(config), Optional.of(socket))) {
      Check check = new Check(PATIENT);

      assertThat(check.run(AgentAddress.of(socket), Optional.empty()).exitCode()).isEqualTo(2);
      assertThat(check.run(Optional.of(at(agent.addresses().get(0).getPort()))).exitCode())
          .isEqualTo(3);
      assertThat(Files.getPosixFilePermissions(socket)).doesNotContain(OTHERS_WRITE, OTHERS_READ);
    }
  }

  @Test
  void withoutAUnixSocketTheAddressIsQueried(@TempDir Path dir) throws Exception {
    Path missing = dir.toRealPath().resolve("agent.sock");
    try (WebServer agent = agent(MadeReports.judged(Instant.now()))) {
      int port = agent.addresses().get(0).getPort();

      CheckResult result = new Check(PATIENT).run(AgentAddress.of(missing), Optional.of(at(port)));

      assertThat(result.by()).isEqualTo("the agent at http://127.0.0.1:" + port);
    }
  }

  @Test
  void aSocketOfADeadAgentIsReplacedAndThatOfALivingOneIsNot(@TempDir Path dir) throws Exception {
    Path socket = dir.toRealPath().resolve("agent.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    try (WebServer first =
        agent(MadeReports.judged(Instant.now()), Optional.empty(), Optional.of(socket))) {
      try (WebServer second = agent(MadeReports.healthy(), Optional.empty(), Optional.of(socket))) {
        assertThat(second.addresses()).hasSize(1);
      }
      Check check = new Check(PATIENT);

      assertThat(first.addresses()).hasSize(1);
      assertThat(check.run(AgentAddress.of(socket), Optional.empty()).exitCode()).isEqualTo(2);
    }
  }

  @Test
  void anEvaluationOlderThanAMinuteIsNotUsed() throws Exception {
    Instant old = Instant.now().minusSeconds(75);
    try (WebServer agent = agent(MadeReports.judged(old))) {
      CheckResult result = check(PATIENT, agent.addresses().get(0).getPort());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.problem().orElseThrow())
          .startsWith("the agent has not evaluated health since 20");
      assertThat(result.report().findings()).hasSize(3);
    }
  }

  @Test
  void theAgeOfAnEvaluationIsByTheClockOfTheAgent() throws Exception {
    String body = new String(HealthJson.write(MadeReports.failing()), StandardCharsets.UTF_8);
    String dated =
        http(body).replace("\r\n\r\n", "\r\nDate: Fri, 20 Nov 2026 05:18:03 GMT\r\n\r\n");
    try (ServerSocket agent = answering(dated, Duration.ZERO)) {
      CheckResult result = check(PATIENT, agent.getLocalPort());

      assertThat(result.problem()).isEmpty();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.now()).isEqualTo("2026-11-20T05:18:03Z");
    }
  }

  @Test
  void withoutAnAgentTheNodeIsUnknown() throws Exception {
    int port = deadPort();

    CheckResult result = check(PATIENT, port);

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.by()).isEqualTo("this command");
    assertThat(result.problem().orElseThrow())
        .startsWith("no agent is reachable at http://127.0.0.1:" + port + " (")
        .endsWith("); lapwing check --offline checks without an agent");
    assertThat(HealthJson.read(result.json().getBytes(StandardCharsets.UTF_8)).verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void offlineNoAgentIsAsked() throws Exception {
    CheckResult result = new Check(PATIENT).offline(MadeReports::healthy);

    assertThat(result.exitCode()).isZero();
    assertThat(result.note().orElseThrow()).startsWith("checked once without an agent");
    assertThat(HealthJson.read(result.json().getBytes(StandardCharsets.UTF_8)).summary())
        .isEqualTo(MadeReports.healthy().summary());
  }

  @Test
  void withoutAnAgentOnAnotherMachineThatIsUnknown() throws Exception {
    AgentAddress other = new AgentAddress(at(deadPort()).base(), false);

    CheckResult result = check(PATIENT, Optional.of(other));

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.problem().orElseThrow()).startsWith("no agent is reachable at " + other);
    assertThat(HealthJson.read(result.json().getBytes(StandardCharsets.UTF_8)).verdict().text())
        .isEqualTo("unknown");
  }

  @Test
  void withAnUnknownPortTheNodeIsUnknown() throws Exception {
    CheckResult result = check(PATIENT, Optional.empty());

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.problem().orElseThrow()).startsWith("the agent's port is unknown; ");
  }

  @Test
  void aFailedLocalCheckIsUnknown() {
    CheckResult result =
        new Check(PATIENT)
            .offline(
                () -> {
                  throw new IllegalStateException("no library");
                });

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.problem().orElseThrow()).contains("no library");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_8.7\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nready\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"verdict\":",
        "",
      })
  void anUnusableResponseMakesTheNodeUnknown(String words) throws Exception {
    try (ServerSocket server = answering(words, Duration.ZERO)) {
      CheckResult result = check(PATIENT, server.getLocalPort());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.problem().orElseThrow())
          .startsWith("the agent at http://127.0.0.1:" + server.getLocalPort() + ": ");
    }
  }

  @Test
  void aBusyAgentIsAskedAgain() throws Exception {
    String report = new String(HealthJson.write(MadeReports.healthy()), StandardCharsets.UTF_8);
    String busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    Deque<String> words = new ConcurrentLinkedDeque<>(List.of(busy, busy, http(report)));
    try (ServerSocket server = answering(words::remove, Duration.ZERO)) {
      CheckResult result = check(PATIENT, server.getLocalPort());

      assertThat(result.json()).isEqualTo(report);
      assertThat(words).isEmpty();
    }
  }

  @Test
  void anAgentThatStaysBusyMakesTheNodeUnknown() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    String busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    AgentClient client =
        new AgentClient(Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(30));
    try (ServerSocket server =
        answering(
            () -> {
              asked.incrementAndGet();
              return busy;
            },
            Duration.ZERO)) {
      CheckResult result = check(client, server.getLocalPort());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(asked.get()).isBetween(1, 5);
    }
  }

  @Test
  void anAgentThatHangsTimesOut() throws Exception {
    try (ServerSocket server = answering("", Duration.ofSeconds(60))) {
      CheckResult result = check(SHORT, server.getLocalPort());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.problem().orElseThrow()).endsWith(": no response within 0.3 s");
    }
  }

  @Test
  void aSlowResponseTimesOut() throws Exception {
    AgentClient client =
        new AgentClient(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMillis(700));
    try (ServerSocket server = listen()) {
      Thread drip = new Thread(() -> drip(server), "drip");
      drip.setDaemon(true);
      drip.start();

      CheckResult result = check(client, server.getLocalPort());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.problem().orElseThrow()).endsWith(": no response within 0.7 s");
    }
  }

  private static void drip(ServerSocket server) {
    try (Socket client = server.accept()) {
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      while (!server.isClosed()) {
        client.getOutputStream().write(' ');
        client.getOutputStream().flush();
        Thread.sleep(20);
      }
    } catch (IOException e) {
      // The client disconnected.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** No metrics. */
  private static final class NoPage implements Exposition {
    @Override
    public byte[] page(PageFormat format, Preset preset) {
      return new byte[0];
    }

    @Override
    public byte[] gzippedPage(PageFormat format, Preset preset) {
      return new byte[0];
    }

    @Override
    public byte[] page(PageFormat format, Preset preset, Predicate<String> wanted) {
      return new byte[0];
    }

    @Override
    public Preset preset() {
      return Preset.FULL;
    }

    @Override
    public Set<String> collectors() {
      return Set.of();
    }
  }

  /** Counts nothing. */
  private static final class NoMeter implements RequestMeter {
    @Override
    public void started() {}

    @Override
    public void answered(String handler, int status) {}

    @Override
    public void rejected() {}
  }
}
