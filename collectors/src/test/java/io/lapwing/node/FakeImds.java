package io.lapwing.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An instance metadata service that requires tokens, as instances do by default. */
final class FakeImds implements AutoCloseable {

  private static final String META_DATA = "/latest/meta-data/";

  private final HttpServer server;
  private final Map<String, String> items = new ConcurrentHashMap<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile String token = "";
  private final AtomicInteger tokens = new AtomicInteger();
  private volatile int tokenStatus = 200;
  private volatile boolean tokensAreInvalid;

  FakeImds() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/latest/api/token", this::grant);
    server.createContext(META_DATA, this::item);
    server.start();
  }

  /** As an on-demand p5.48xlarge. */
  static FakeImds p5() throws IOException {
    return new FakeImds()
        .with("instance-id", "i-0123456789abcdef0")
        .with("instance-type", "p5.48xlarge")
        .with("placement/region", "us-east-1")
        .with("placement/availability-zone", "us-east-1a")
        .with("placement/availability-zone-id", "use1-az4")
        .with("instance-life-cycle", "on-demand");
  }

  FakeImds with(String path, String text) {
    items.put(path, text);
    return this;
  }

  FakeImds without(String path) {
    items.remove(path);
    return this;
  }

  FakeImds answering(String path, int status) {
    statuses.put(path, status);
    return this;
  }

  /** Replies to token requests with a status. */
  void refuseTokens(int status) {
    tokenStatus = status;
  }

  /** Invalidates the granted tokens. */
  void invalidateTokens() {
    token = "";
  }

  /** Grants only tokens that are invalid. */
  void grantInvalidTokens() {
    tokensAreInvalid = true;
  }

  /** The requests since the last call, without the common path. */
  List<String> requests() {
    List<String> all = List.copyOf(requests);
    requests.clear();
    return all;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void grant(HttpExchange exchange) throws IOException {
    requests.add("token");
    String ttl = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token-ttl-seconds");
    boolean proper = exchange.getRequestMethod().equals("PUT") && ttl != null;
    if (!proper || tokenStatus != 200) {
      answer(exchange, proper ? tokenStatus : 400, "");
      return;
    }
    token = "TOKEN-" + tokens.incrementAndGet() + "==";
    exchange.getResponseHeaders().add("X-aws-ec2-metadata-token-ttl-seconds", ttl);
    answer(exchange, 200, token);
  }

  private void item(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(META_DATA.length());
    requests.add(path);
    String given = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    if (tokensAreInvalid || token.isEmpty() || !token.equals(given)) {
      answer(exchange, 401, "");
    } else if (statuses.containsKey(path)) {
      answer(exchange, statuses.get(path), "<html>");
    } else {
      answer(exchange, items.containsKey(path) ? 200 : 404, items.getOrDefault(path, "<html>"));
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
