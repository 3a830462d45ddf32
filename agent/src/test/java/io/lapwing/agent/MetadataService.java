package io.lapwing.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An instance metadata service for an agent with {@code --imds.url}. */
public final class MetadataService implements AutoCloseable {

  private static final String META_DATA = "/latest/meta-data/";
  private static final String TOKEN = "TOKEN==";

  private final HttpServer server;
  private final Map<String, String> items = new ConcurrentHashMap<>();

  /** One that returns only the token. */
  public MetadataService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/latest/api/token", exchange -> answer(exchange, 200, TOKEN));
    server.createContext(META_DATA, this::tell);
    server.start();
  }

  /** From now on there is such an item. */
  public MetadataService with(String path, String text) {
    items.put(path, text);
    return this;
  }

  /** From now on there is none. */
  public MetadataService without(String path) {
    items.remove(path);
    return this;
  }

  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void tell(HttpExchange exchange) throws IOException {
    String text = items.get(exchange.getRequestURI().getPath().substring(META_DATA.length()));
    String token = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    int status = text == null ? 404 : 200;
    answer(exchange, TOKEN.equals(token) ? status : 401, text == null ? "none" : text);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
