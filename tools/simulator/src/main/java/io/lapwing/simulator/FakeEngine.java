package io.lapwing.simulator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/** Serves the metrics of an inference engine on this host, correctly or with a fault. */
public final class FakeEngine implements AutoCloseable {

  private static final long TRICKLE_MILLIS = 100;
  private static final byte[] ENDLESS_LINE =
      "vllm:some_other_series{engine=\"0\"} 1.0\n".repeat(1000).getBytes(StandardCharsets.UTF_8);

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "fake-engine");
            thread.setDaemon(true);
            return thread;
          });
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Supplier<String> page;
  private volatile EngineManner manner = EngineManner.PROMPT;
  private volatile int questions;

  private FakeEngine(int port, Supplier<String> page) throws IOException {
    this.page = page;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/metrics", this::answer);
    server.start();
  }

  /**
   * Starts to serve.
   *
   * @param port 0 for any free port
   * @param page called for each response
   */
  public static FakeEngine start(int port, Supplier<String> page) throws IOException {
    return new FakeEngine(port, page);
  }

  /** Always the same response, on any free port. */
  public static FakeEngine serving(String page) throws IOException {
    return start(0, () -> page);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** The URL of its metrics. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port() + "/metrics");
  }

  /** Changes the response. */
  public void serve(Supplier<String> other) {
    page = other;
  }

  /** Changes the manner of the answers. */
  public void behave(EngineManner other) {
    manner = other;
  }

  /** Number of requests. */
  public int questions() {
    return questions;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    synchronized (this) {
      questions++;
    }
    byte[] body = page.get().getBytes(StandardCharsets.UTF_8);
    switch (manner) {
      case PROMPT -> send(exchange, 200, body);
      case GZIP -> {
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        send(exchange, 200, compressed(body));
      }
      case SILENT -> await(Long.MAX_VALUE);
      case TRICKLE -> trickle(exchange, body);
      case ENDLESS -> endless(exchange);
      case CUT -> begin(exchange, 0, body);
      case SHORT -> begin(exchange, body.length + 100L, body);
      case HTML ->
          send(exchange, 200, "<html>\n<body>It works!</body>\n".getBytes(StandardCharsets.UTF_8));
      case ERROR -> send(exchange, 500, body);
      case REDIRECT -> {
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        send(exchange, 307, body);
      }
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] compressed(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    }
    return bytes.toByteArray();
  }

  private void trickle(HttpExchange exchange, byte[] body) throws IOException {
    exchange.sendResponseHeaders(200, body.length);
    OutputStream out = exchange.getResponseBody();
    for (int at = 0; at < body.length && !await(TRICKLE_MILLIS); at++) {
      out.write(body[at]);
      out.flush();
    }
  }

  private void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    while (!await(0)) {
      exchange.getResponseBody().write(ENDLESS_LINE);
    }
  }

  /** Sends half of the body; the exception closes the connection before its end. */
  private static void begin(HttpExchange exchange, long length, byte[] body) throws IOException {
    exchange.sendResponseHeaders(200, length);
    exchange.getResponseBody().write(body, 0, body.length / 2);
    exchange.getResponseBody().flush();
    throw new IOException("cut");
  }

  /** Whether the server was closed meanwhile. */
  private boolean await(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /**
   * Serves engines until stopped: {@code vllm:8000 sglang:30000}. A third part sets the manner:
   * {@code tgi:3000:silent}.
   */
  public static void main(String[] engines) throws IOException, InterruptedException {
    for (String one : engines) {
      String[] parts = one.split(":", -1);
      EngineLoad load = new EngineLoad(System.nanoTime());
      EnginePage page = EnginePage.of(parts[0]);
      FakeEngine engine =
          start(
              Integer.parseInt(parts[1]),
              () -> {
                load.workUntil(System.nanoTime());
                return page.text(load);
              });
      if (parts.length > 2) {
        engine.behave(EngineManner.valueOf(parts[2].toUpperCase(Locale.ROOT)));
      }
    }
    new CountDownLatch(1).await();
  }
}
