package io.lapwing.dashboards;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A page as the drain controller's, with the families of {@code docs/drain-metrics.md}: {@code
 * controller.txt}, in which {@code @3} grows by three with each scrape and {@code @-60} is a minute
 * ago.
 */
final class FakeController implements AutoCloseable {

  private static final Pattern GROWS = Pattern.compile("(\\d*)@(-?\\d+)");

  private final AtomicLong scrapes = new AtomicLong();
  private final HttpServer server;

  FakeController() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] page =
              page(scrapes.incrementAndGet(), Instant.now()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(page);
          }
        });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  static String page(long scrapes, Instant now) throws IOException {
    try (InputStream page =
        Objects.requireNonNull(FakeController.class.getResourceAsStream("controller.txt"))) {
      String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
      return GROWS.matcher(text).replaceAll(value -> Long.toString(value(value, scrapes, now)));
    }
  }

  private static long value(MatchResult value, long scrapes, Instant now) {
    long start = value.group(1).isEmpty() ? 0 : Long.parseLong(value.group(1));
    long step = Long.parseLong(value.group(2));
    return step < 0 ? now.getEpochSecond() + step : start + step * scrapes;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
