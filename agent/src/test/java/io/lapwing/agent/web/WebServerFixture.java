package io.lapwing.agent.web;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** Starts servers with fixed contents, and stops them after each test. */
abstract class WebServerFixture {

  static final Duration PATIENCE = Duration.ofMinutes(3);
  static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", 0);
  static final Settings.Web SETTINGS =
      new Settings.Web(List.of(LOOPBACK), "/metrics", 40, true, Optional.empty());

  record Node(String name, Instant boot, Duration age, Optional<String> gpu) {}

  final List<WebServer> running = new ArrayList<>();
  final List<Socket> clients = new ArrayList<>();
  final HttpClient client = HttpClient.newHttpClient();
  final CountedRequests counted = new CountedRequests();

  /** Constant, so that no response is displaced because this machine is slow. */
  final AtomicLong now = new AtomicLong();

  Timing timing = new Timing(now::get, Timing.USUAL.patience(), Timing.USUAL.deadline());
  WebContent.Readiness readiness = new WebContent.Readiness.Ready();
  WebContent.AgentInfo info = new WebContent.AgentInfo("1.2.3", "node-7", false);
  Supplier<?> node =
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

  WebServer start() throws Exception {
    return start(SETTINGS);
  }

  WebServer start(Settings.Web settings) throws Exception {
    return start(settings, new FixedExposition("ecc", "xid"));
  }

  WebServer start(Settings.Web settings, FixedExposition exposition) throws Exception {
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

  HttpResponse<String> get(WebServer server, String path, String... headers) throws Exception {
    return client.send(request(server, path, headers).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    return client.send(request(address, path).build(), BodyHandlers.ofString());
  }

  static HttpRequest.Builder request(WebServer server, String path, String... headers) {
    return request(server.addresses().get(0), path, headers);
  }

  static HttpRequest.Builder request(InetSocketAddress address, String path, String... headers) {
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

  static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Sends a raw request. */
  static String raw(WebServer server, String head) throws Exception {
    try (Socket socket = connect(server)) {
      socket
          .getOutputStream()
          .write(
              (head + "\r\nHost: x\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static Socket connect(WebServer server) throws Exception {
    InetSocketAddress address = server.addresses().get(0);
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(180_000);
    return socket;
  }
}
